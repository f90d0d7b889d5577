// What C++ says in one statement.
//
//   m = a.shape[0]; n = a.shape[1]     ->   const auto [m, n] = a.shape();
//   t = f(); x = t[0]; y = t[1]        ->   const auto [x, y] = f();
//   for k in range(len(a)): x = a[k]…  ->   for (const double x : a)…      where k serves nothing
//   else
//
// Structured bindings not beside OpenMP loops and lambdas: Clang cannot capture them there.
// In: functions with declarations.  Out: Unpack, ForEach. Tested by tests/golden/functions.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// The assigned value, where it is a constant that the statement declares; else null.
Expr* constant_value(Stmt* s) {
  auto* a = ir::try_as<ir::Assign>(s);
  const bool fits = a && a->declares == ir::Declares::kConstant && a->value->type == a->local->type;
  return fits ? a->value : nullptr;
}

// The tuple or array of which the statement takes item or extent k; else null.
Expr* whole_of(Stmt* s, size_t k) {
  Expr* value = constant_value(s);
  if (!value) return nullptr;
  if (auto* item = ir::try_as<ir::Item>(value))
    return item->index == static_cast<int>(k) ? item->tuple : nullptr;
  auto* q = ir::try_as<ir::Query>(value);
  const bool extent = q && q->op == ir::QueryOp::kShape && q->axis == static_cast<int>(k);
  return extent ? q->operand : nullptr;
}

// Is it printed as a lambda, or with OpenMP?
bool is_captured(const Stmt* s) {
  const auto* loop = ir::try_as<ir::For>(s);
  return (loop && (loop->simd || loop->loop == ir::LoopKind::kParallel)) ||
         s->kind == ir::StmtKind::kLanes || s->kind == ir::StmtKind::kGang ||
         s->kind == ir::StmtKind::kGiven;
}

class Bindings {
 public:
  Bindings(ir::Program& program, ir::Function& f) : program_(program) {
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      captures_ = captures_ || is_captured(s);
      ir::for_each_local_of(s, [&](const Local* local, ir::Access) { ++mentions_[local]; });
    });
    block(f.body);
  }

 private:
  void block(Block& b) {
    Block all;
    for (size_t k = 0; k < b.size();) {
      const size_t used = captures_ ? 0 : unpack(b, k, all);
      k += used;
      if (used > 0) continue;
      Stmt* s = b[k++];
      if (Stmt* each = for_each_of(s)) s = each;
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  // How many statements from k on an Unpack replaces; 0: none.
  size_t unpack(const Block& b, size_t k, Block& out) {
    size_t first = k;
    auto* head = ir::try_as<ir::Assign>(b[k]);
    const bool temp = head && head->local->is_temp && head->local->type->is_tuple() &&
                      head->declares != ir::Declares::kNothing;
    if (temp) ++first;
    Expr* whole = first < b.size() ? whole_of(b[first], 0) : nullptr;
    if (!whole || (temp && ir::loaded(whole) != head->local)) return 0;
    const bool array = whole->type->is_array();
    const size_t count = array ? whole->type->rank : whole->type->items.size();
    if (count < 2 || first + count > b.size()) return 0;
    std::vector<Local*> locals;
    for (size_t n = 0; n < count; ++n) {
      const Expr* from = whole_of(b[first + n], n);
      if (!from || !ir::equal(from, whole)) return 0;
      locals.push_back(ir::as<ir::Assign>(b[first + n])->local);
    }
    if (temp && mentions_[head->local] != int(count) + 1) return 0;
    const ir::Builder build{program_, b[k]->span};
    Expr* value = temp ? head->value : whole;
    if (!temp && array)
      value = build.expr<ir::Query>(types::tuple(std::vector(count, types::int64())),
                                    ir::QueryOp::kShape, whole, -1);
    out.push_back(build.stmt<ir::Unpack>(program_.list(locals), value));
    return first - k + count;
  }

  // The loop over the elements that the counted loop is; null: it is none.
  Stmt* for_each_of(Stmt* s) {
    auto* loop = ir::try_as<ir::For>(s);
    if (!loop || loop->simd || loop->loop == ir::LoopKind::kParallel || loop->body->empty() ||
        loop->form != ir::LoopForm::kUp || !ir::is_int_const(loop->lo, 0) ||
        !ir::is_int_const(loop->step, 1))
      return nullptr;
    auto* end = ir::try_as<ir::Query>(loop->hi);
    const Local* array = end ? ir::loaded(end->operand) : nullptr;
    const bool whole = array && array->type->is_array() && array->type->rank == 1 &&
                       (end->op == ir::QueryOp::kLen || end->op == ir::QueryOp::kShape);
    auto* first = ir::try_as<ir::Assign>(loop->body->front());
    if (!whole || !first || first->declares == ir::Declares::kNothing) return nullptr;
    auto* element = ir::try_as<ir::Element>(first->value);
    const bool ours = element && ir::loaded(element->array) == array && array->type->aligned &&
                      ir::loaded(element->indices[0].value) == loop->index &&
                      !element->indices[0].wrap && element->type == first->local->type;
    if (!ours || mentions_[loop->index] != 2 || ir::assigned_in(*loop->body).contains(array))
      return nullptr;
    const ir::Builder build{program_, s->span};
    Block* body = build.block();
    body->assign(loop->body->begin() + 1, loop->body->end());
    Stmt* each = build.stmt<ir::ForEach>(first->local, element->array, body, first->declares);
    ir::for_each_stmt(*body, [&](Stmt* inner) {
      if (auto* jump = ir::try_as<ir::Break>(inner); jump && jump->loop == s) jump->loop = each;
      if (auto* jump = ir::try_as<ir::Continue>(inner); jump && jump->loop == s) jump->loop = each;
    });
    return each;
  }

  ir::Program& program_;
  std::unordered_map<const Local*, int> mentions_{};
  bool captures_ = false;
};

}  // namespace

void bindings(ir::Program& program) {
  for (ir::Function* f : program.functions) Bindings(program, *f);
}

}  // namespace pyk2cu::emit
