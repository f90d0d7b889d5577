// Wrapping subscripts: see wraps.h.
//
// A subscript that moves with the loop's index by a constant is least or greatest in the first and
// the last iteration: not negative there, it is so nowhere.
#include "emit/lower/wraps.h"

#include <algorithm>
#include <optional>

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

// Of constants only.
std::optional<int64_t> value_of(const Expr* e) {
  if (const ir::Const* c = ir::constant(e)) return c->value.integer;
  const auto* b = ir::try_as<ir::Binary>(e);
  if (!b || b->op > ir::BinaryOp::kSub) return std::nullopt;
  const auto left = value_of(b->left), right = value_of(b->right);
  if (!left || !right) return std::nullopt;
  int64_t value = 0;
  const bool overflows = b->op == ir::BinaryOp::kAdd
                             ? __builtin_add_overflow(*left, *right, &value)
                             : __builtin_sub_overflow(*left, *right, &value);
  return overflows ? std::nullopt : std::optional(value);
}

}  // namespace

Expr* take_wraps(const ir::Builder& build, ir::For& loop, const Iterations& iterations) {
  if (!is_simple(loop.lo, loop, iterations) || !is_simple(loop.hi, loop, iterations))
    return nullptr;
  ir::Cloner cloner(build.program);
  std::vector<ir::Index*> wrapped;
  const auto look = [&](ir::Index& i) {
    if (!i.wrap || !iterations.moves(i.value) || !is_simple(i.value, loop, iterations)) return;
    const auto first = value_of(at(cloner, cloner.expr(i.value), loop.index, loop.lo));
    if (!first || *first >= 0) wrapped.push_back(&i);
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

namespace {

// len(a), a.shape[0], …
bool is_extent(const Expr* e, const ir::Local* array, size_t axis) {
  const auto* query = ir::try_as<ir::Query>(e);
  if (!query || ir::loaded(query->operand) != array) return false;
  if (query->op == ir::QueryOp::kLen) return axis == 0;
  if (query->op == ir::QueryOp::kSize) return array->type->rank == 1;
  return query->op == ir::QueryOp::kShape && size_t(query->axis) == axis;
}

}  // namespace

Expr* is_inside(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
                const ir::Block& block) {
  const ir::LocalSet assigned = ir::assigned_in(*loop.body);
  std::vector<std::pair<const ir::Local*, size_t>> asked;
  ir::Cloner cloner(build.program);
  Expr* all = nullptr;
  ir::for_each_expr_in(block, [&](const Expr* e) {
    const auto* element = ir::try_as<ir::Element>(e);
    ir::Local* array = element ? ir::loaded(element->array) : nullptr;
    if (!array || assigned.contains(array)) return;
    for (size_t axis = 0; axis < element->indices.size(); ++axis) {
      if (ir::loaded(element->indices[axis].value) != index) continue;
      const std::pair<const ir::Local*, size_t> one{array, axis};
      Expr* extent = build.extent(build.load(array), int(axis));
      if (is_extent(loop.hi, array, axis) || std::ranges::find(asked, one) != asked.end()) continue;
      asked.push_back(one);
      Expr* inside = build.compare(ir::CompareOp::kLe, cloner.expr(loop.hi), extent);
      all = all ? build.logical(true, all, inside) : inside;
    }
  });
  return all;
}

}  // namespace pyk2cu::emit
