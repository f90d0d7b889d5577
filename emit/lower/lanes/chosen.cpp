// Chosen stores: see chosen.h.
#include "emit/lower/lanes/chosen.h"

#include <algorithm>
#include <vector>

#include "emit/lower/interval.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

bool holds(const Expr* condition, const Expr* e) {
  bool found = false;
  ir::for_each_subexpr(condition, [&](const Expr* part) { found = found || ir::equal(part, e); });
  return found;
}

// May it be computed whatever the condition is, for little? What that reads is there.
bool is_free(const Expr* e, const Expr* condition) {
  if (e->kind == ExprKind::kElement) return holds(condition, e);
  const auto* b = ir::try_as<ir::Binary>(e);
  bool fits = e->kind == ExprKind::kConst || e->kind == ExprKind::kLoad ||
              e->kind == ExprKind::kConvert || e->kind == ExprKind::kUnary ||
              (b && b->op <= ir::BinaryOp::kMul);
  ir::for_each_operand(e, [&](const Expr* part) { fits = fits && is_free(part, condition); });
  return fits;
}

bool is_element(const Expr* e, const ir::Place& place) {
  const auto* element = ir::try_as<ir::Element>(e);
  const bool simple = std::ranges::none_of(place.indices, [](const ir::Index& i) {
    return i.check || ir::reads_memory(i.value) || ir::has_effect(i.value);
  });
  return element && simple && ir::equal(element->array, place.array) &&
         std::ranges::equal(element->indices, place.indices, [](const auto& a, const auto& b) {
           return a.wrap == b.wrap && ir::equal(a.value, b.value);
         });
}

class Chosen {
 public:
  explicit Chosen(ir::Program& program) : program_(program) {}

  void block(Block& b) {
    known_.clear();
    for (Stmt*& s : b) {
      if (auto* store = store_of(s)) {
        const ir::Builder build{program_, s->span};
        Expr* condition = ir::as<ir::If>(s)->condition;
        store->value = build.expr<ir::Select>(store->value->type, condition, anywhere(store->value),
                                              old(*store));
        s = store;
        found_ = true;
      }
      forget(s);
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && !ir::reads(a->value, a->local)) known_.emplace_back(a->local, a->value);
    }
    for (Stmt* s : b) ir::for_each_block(s, [&](Block& inner) { block(inner); });
  }
  bool found() const { return found_; }

 private:
  // Of a branch that holds nothing else, whose condition reads the element that it stores.
  ir::Store* store_of(Stmt* s) const {
    auto* branch = ir::try_as<ir::If>(s);
    const bool single = branch && branch->body->size() == 1 && branch->orelse->empty();
    auto* store = single ? ir::try_as<ir::Store>(branch->body->front()) : nullptr;
    const bool fits = store && store->value->type->is_real() &&
                      asks_for(branch->condition, store->place) &&
                      is_free(store->value, branch->condition);
    return fits ? store : nullptr;
  }

  // The condition reads the element in any case.
  bool asks_for(const Expr* condition, const ir::Place& place) const {
    bool found = false, sure = true;
    const auto look = [&](auto&& self, const Expr* e, bool named) -> void {
      found = found || is_element(e, place);
      sure = sure && e->kind != ExprKind::kSelect && e->kind != ExprKind::kLogical;
      const Local* local = ir::loaded(e);
      const auto value = std::ranges::find(known_, local, &Named::first);
      if (local && !named && value != known_.end()) self(self, value->second, true);
      ir::for_each_operand(e, [&](const Expr* operand) { self(self, operand, named); });
    };
    look(look, condition, false);
    return found && sure;
  }

  // What the statement assigns is no longer what it was.
  void forget(const Stmt* s) {
    const ir::LocalSet assigned = ir::assigned_in(s);
    std::erase_if(known_, [&](const Named& one) {
      return assigned.contains(one.first) || ir::reads_any(one.second, assigned);
    });
  }

  Expr* old(const ir::Store& store) const {
    ir::Cloner cloner(program_);
    std::vector<ir::Index> indices;
    for (const ir::Index& i : store.place.indices)
      indices.push_back({cloner.expr(i.value), i.wrap, i.check});
    return ir::Builder{program_, store.span}.expr<ir::Element>(
        store.place.type(), cloner.expr(store.place.array), program_.list(indices));
  }

  ir::Program& program_;
  using Named = std::pair<const Local*, const Expr*>;
  std::vector<Named> known_{};  // what locals are that were assigned last, in the same block
  bool found_ = false;
};

}  // namespace

bool choose_stores(ir::Program& program, Block& body) {
  Chosen chosen(program);
  chosen.block(body);
  return chosen.found();
}

std::unordered_set<const ir::Function*> run_by_cores(const ir::Program& program) {
  std::unordered_set<const ir::Function*> all;
  const auto add = [&](auto&& self, const ir::Function* f) -> void {
    if (!all.insert(f).second) return;
    ir::for_each_expr_in(f->body, [&](const Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e)) self(self, call->callee);
    });
  };
  for (const ir::Function* f : program.functions) {
    const bool shares = ir::any_stmt(f->body, [](const Stmt* s) {
      const auto* loop = ir::try_as<ir::For>(s);
      return loop && loop->loop == ir::LoopKind::kParallel;
    });
    if (shares) add(add, f);
  }
  return all;
}

}  // namespace pyk2cu::emit
