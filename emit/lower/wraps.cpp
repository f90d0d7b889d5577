// Wrapping subscripts: see wraps.h.
//
// A subscript that moves with the loop's index by a constant is least or greatest in the first and
// the last iteration: not negative there, it is so nowhere.
#include "emit/lower/wraps.h"

#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;

namespace {

constexpr size_t kMost = 4;  // subscripts that are asked

// Sums, differences and products of the index and of what the loop does not change.
bool is_simple(const Expr* e, const ir::For& loop, const Iterations& iterations) {
  if (e->type != types::int64()) return false;
  if (ir::constant(e) || ir::loaded(e) == loop.index) return true;
  const ir::Local* local = ir::loaded(e);
  if (local || e->kind == ExprKind::kQuery) return iterations.is_known(e);
  const auto* b = ir::try_as<ir::Binary>(e);
  return b && b->op <= ir::BinaryOp::kMul && is_simple(b->left, loop, iterations) &&
         is_simple(b->right, loop, iterations);
}

// The expression with `value` in place of the index.
Expr* at(ir::Cloner& cloner, Expr* e, const ir::Local* index, const Expr* value) {
  if (ir::loaded(e) == index) return cloner.expr(value);
  ir::for_each_operand(e, [&](Expr*& operand) { operand = at(cloner, operand, index, value); });
  return e;
}

// Null: the array is not there before the loop.
Expr* extent_of(const ir::Builder& build, const Expr* array, size_t axis,
                const ir::LocalSet& assigned) {
  if (const auto* frozen = ir::try_as<ir::Global>(array))
    return build.integer(frozen->array->shape[axis]);
  ir::Local* local = ir::loaded(const_cast<Expr*>(array));
  return local && !assigned.contains(local) ? build.extent(build.load(local), int(axis)) : nullptr;
}

}  // namespace

Expr* take_wraps(const ir::Builder& build, ir::For& loop, const Iterations& iterations) {
  if (!is_simple(loop.lo, loop, iterations) || !is_simple(loop.hi, loop, iterations))
    return nullptr;
  ir::Cloner cloner(build.program);
  Known nothing;
  Observer nobody;
  std::vector<ir::Index*> wrapped;
  const auto look = [&](ir::Index& i) {
    if (!i.wrap || !iterations.moves(i.value) || !is_simple(i.value, loop, iterations)) return;
    Expr* first = at(cloner, cloner.expr(i.value), loop.index, loop.lo);
    if (evaluate(first, nothing, nobody).hi >= 0) wrapped.push_back(&i);
  };
  ir::for_each_stmt(*loop.body, [&](ir::Stmt* s) {
    ir::for_each_place(s, [&](ir::Place& place) {
      for (ir::Index& i : place.indices) look(i);
    });
  });
  ir::for_each_expr_in(*loop.body, [&](Expr* e) {
    if (auto* element = ir::try_as<ir::Element>(e))
      for (ir::Index& i : element->indices) look(i);
  });
  std::vector<const Expr*> asked;
  Expr* all = nullptr;
  for (ir::Index* i : wrapped) {
    const auto is_same = [&](const Expr* e) { return ir::equal(e, i->value); };
    if (std::ranges::none_of(asked, is_same)) {
      if (asked.size() == kMost) continue;
      asked.push_back(i->value);
      const Expr* last = build.plain(ir::BinaryOp::kSub, cloner.expr(loop.hi), build.integer(1));
      for (const Expr* end : {static_cast<const Expr*>(loop.lo), last}) {
        Expr* value = at(cloner, cloner.expr(i->value), loop.index, end);
        Expr* is_ahead = build.compare(ir::CompareOp::kGe, value, build.integer(0));
        all = all ? build.logical(true, all, is_ahead) : is_ahead;
      }
    }
    i->wrap = false;
  }
  return all;
}

std::optional<Expr*> is_inside(const ir::Builder& build, const ir::For& loop,
                               const ir::Local* index, const ir::Block& block) {
  const ir::LocalSet assigned = ir::assigned_in(*loop.body);
  Known nothing;
  std::vector<std::pair<const Expr*, size_t>> asked;
  ir::Cloner cloner(build.program);
  Expr* all = nullptr;
  bool known = true;
  ir::for_each_expr_in(block, [&](const Expr* e) {
    const auto* element = ir::try_as<ir::Element>(e);
    if (!element) return;
    for (size_t axis = 0; axis < element->indices.size(); ++axis) {
      if (ir::loaded(element->indices[axis].value) != index) continue;
      Expr* extent = extent_of(build, element->array, axis, assigned);
      known = known && extent;
      if (!known || is_below(cloner.expr(loop.hi), extent, true, nothing)) continue;
      const auto is_same = [&](const auto& one) {
        return one.second == axis && ir::equal(one.first, element->array);
      };
      if (std::ranges::any_of(asked, is_same)) continue;
      asked.push_back({element->array, axis});
      Expr* inside = build.compare(ir::CompareOp::kLe, cloner.expr(loop.hi), extent);
      all = all ? build.logical(true, all, inside) : inside;
    }
  });
  return known ? std::optional(all) : std::nullopt;
}

}  // namespace pyk2cu::emit
