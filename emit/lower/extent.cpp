// What is known of values beside the extents of arrays: n == len(a), i <= len(a) - 1.
//
// In:   expressions, Known.  Out: Extents. Needs no numbers, so that bounds checks of
// `for i in range(len(a)): a[i]` can go. Tested by tests/golden/ranges.
#include "emit/lower/interval.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::constant;
using ir::Expr;
using ir::ExprKind;
using ir::loaded;
using ir::Local;

namespace {

constexpr int64_t kFarthest = 1 << 20;  // offsets beyond are not followed

// The constant that the sum adds to its left side, if it is one.
std::optional<int64_t> added(const ir::Binary& sum) {
  const ir::Const* by = constant(sum.right);
  if (!by || !by->type->is_int() || (sum.op != BinaryOp::kAdd && sum.op != BinaryOp::kSub))
    return std::nullopt;
  const int64_t n = by->value.integer;
  if (n > kFarthest || n < -kFarthest) return std::nullopt;
  return sum.op == BinaryOp::kAdd ? n : -n;
}

}  // namespace

std::optional<Extent> extent_of(const Expr* e, const Known& known) {
  if (const Local* local = loaded(e)) return known.extent(local);
  if (e->kind == ExprKind::kQuery) {
    const auto& q = *ir::as<ir::Query>(e);
    const Local* array = loaded(q.operand);
    if (!array || !array->type->is_array()) return std::nullopt;
    const bool is_length = q.op == ir::QueryOp::kSize && array->type->rank == 1;
    if (q.op == ir::QueryOp::kLen || is_length) return Extent{array->shaped_as(0), 0, 0};
    if (q.op == ir::QueryOp::kShape && q.axis >= 0)
      return Extent{array->shaped_as(q.axis), q.axis, 0};
    return std::nullopt;
  }
  if (e->kind != ExprKind::kBinary) return std::nullopt;
  const auto by = added(*ir::as<ir::Binary>(e));
  if (!by) return std::nullopt;
  auto extent = extent_of(ir::as<ir::Binary>(e)->left, known);
  if (extent) extent->offset += *by;
  return extent;
}

std::vector<Extent> upper_bounds(Expr* e, Known& known) {
  while (e->kind == ExprKind::kConvert && ir::as<ir::Convert>(e)->op == ir::ConvertOp::kExact)
    e = ir::as<ir::Convert>(e)->operand;
  std::vector<Extent> bounds;
  if (const auto extent = extent_of(e, known)) bounds.push_back(*extent);
  if (const Local* local = loaded(e))
    bounds.insert(bounds.end(), known.upper(local).begin(), known.upper(local).end());
  if (e->kind != ExprKind::kBinary || !e->type->is_int() || e->type->bits != 64) return bounds;
  const auto& sum = *ir::as<ir::Binary>(e);
  const auto by = added(sum);
  Observer nobody;
  // i - 1 of the least number would be the largest: of 0, where the type has no sign.
  const Wide least = e->type->is_signed ? -kMaxCount : by ? Wide{-*by} : 0;
  if (!by || evaluate(sum.left, known, nobody).lo < least) return bounds;
  for (Extent extent : upper_bounds(sum.left, known)) {
    extent.offset += *by;
    bounds.push_back(extent);
  }
  return bounds;
}

void bound(const Local* local, const std::vector<Extent>& bounds, int64_t offset, Known& known) {
  for (Extent extent : bounds) {
    extent.offset += offset;
    if (extent.offset > kFarthest || extent.offset < -kFarthest || extent.array == local) continue;
    known.add_upper(local, extent);
  }
}

bool is_below(Expr* a, const Expr* b, bool or_equal, Known& known) {
  const auto extent = extent_of(b, known);
  if (!extent) return false;
  for (const Extent& bound : upper_bounds(a, known))
    if (bound.is_of_same(*extent) && bound.offset < extent->offset + (or_equal ? 1 : 0))
      return true;
  return false;
}

}  // namespace pyk2cu::emit
