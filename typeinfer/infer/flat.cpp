// a.flat: the elements of an array in C order, under one index.
//
//   a.flat[i] of layout C   -> flat(a)[i], a view of one dimension; of rank 1 the array itself
//   a.flat[i] of the others -> a[i / n, i % n]; a negative i counts from the end
//
// In:   a kFlat operand (the array is its part).  Out: values, places; loops are in loop.cpp.
// Tested by tests/run/test_parts.py.
#include <algorithm>

#include "typeinfer/infer/expr.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using types::BinaryOp;
using types::CompareOp;

namespace {

ir::Expr* arithmetic(Emitter& in, BinaryOp op, ir::Expr* left, ir::Expr* right) {
  const bool division = op != BinaryOp::kAdd;  // by extents, of an index in range
  return in.make(
      ir::Binary{{ir::ExprKind::kBinary, types::int64(), left->span}, op, left, right, division});
}

// The index as an int64, or null after a report.
ir::Expr* flat_index(Emitter& in, const Operand& index, Span span) {
  if (index.is_error()) return nullptr;
  ir::Expr* i = index.is_value() ? unwrap(in, index.value(), span) : nullptr;
  if (i && i->type->is_int()) return i;
  in.report(index.span.valid() ? index.span : span, diag::BadIndex,
            i ? "`" + types::print(i->type) + "`" : describe(index));
  return nullptr;
}

// i or, where it is negative, i + size; checked with --boundscheck.
ir::Expr* wrapped(Emitter& in, ir::Expr* array, ir::Expr* i, Span span) {
  const bool may_wrap = i->type->is_signed;
  const bool constant = i->kind == ir::ExprKind::kConst;
  i = in.once(cast(in, i, types::int64()), "index");
  ir::Expr* size = query(in, ir::QueryOp::kSize, array, 0, span);
  ir::Expr* from_end = arithmetic(in, BinaryOp::kAdd, i, size);
  ir::Expr* negative = make_compare(in, CompareOp::kLt, i, in.const_int(0), span);
  if (in.options().boundscheck) {
    ir::Expr* low = make_compare(in, CompareOp::kLt, from_end, in.const_int(0), span);
    ir::Expr* high = make_compare(in, CompareOp::kGe, i, size, span);
    in.raise_if(may_wrap ? logical(in, false, low, high, span) : high, "IndexError",
                "index is out of bounds", span);
  }
  if (!may_wrap) return i;
  if (constant) return ir::as<ir::Const>(i)->value.integer < 0 ? from_end : i;
  return in.make(ir::Select{{ir::ExprKind::kSelect, types::int64(), span}, negative, from_end, i});
}

}  // namespace

ir::Expr* flat_view(Emitter& in, ir::Expr* array, Span span) {
  const Type* from = array->type;
  if (from->rank == 1) return array;
  if (from->rank > 1 && from->layout != types::Layout::kC) return nullptr;
  const Type* type = types::array(from->elem, 1, types::Layout::kC, from->readonly, from->aligned);
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                             &builtins::row(builtins::Id::pyk_flat),
                             in.list(std::vector<ir::Expr*>{array})});
}

ir::Expr* flattened(Emitter& in, ir::Expr* array, Span span) {
  const Type* type = types::array(array->type->elem, array->type->rank, types::Layout::kC);
  return flat_view(in, copy_as(in, array, type, span), span);
}

ir::Expr* reshaped(Emitter& in, ir::Expr* array, std::vector<ir::Expr*> shape, Span span) {
  using builtins::Id;
  const auto call = [&](Id id, const Type* type, const std::vector<ir::Expr*>& extents) {
    std::vector<ir::Expr*> args{array};
    args.insert(args.end(), extents.begin(), extents.end());
    return in.make(ir::Builtin{
        {ir::ExprKind::kBuiltin, type, span}, &builtins::row(id), in.list(std::move(args))});
  };
  array = in.once(array, "items");
  std::vector<ir::Expr*> others;
  ir::Expr** open = nullptr;
  for (ir::Expr*& extent : shape) {
    const ir::Const* known = ir::constant(extent);
    if (known && known->value.integer == -1 && !open) {
      open = &extent;
    } else {
      extent = in.once(extent, "extent");
      others.push_back(extent);
    }
  }
  if (open) *open = in.spill(call(Id::pyk_extent_left, types::int64(), others), "extent");
  for (ir::Expr*& extent : shape) {  // one that turns out to be -1
    if (open || ir::constant(extent)) continue;
    std::vector<ir::Expr*> rest;
    for (ir::Expr*& other : shape)
      if (&other != &extent) rest.push_back(other);
    ir::Expr* below = make_compare(in, CompareOp::kLt, extent, in.const_int(0), span);
    extent = in.spill(in.make(ir::Select{{ir::ExprKind::kSelect, types::int64(), span},
                                         below,
                                         call(Id::pyk_extent_left, types::int64(), rest),
                                         extent}),
                      "extent");
  }
  in.raise_if(negate(in, call(Id::pyk_has_shape, types::boolean(), shape)), "ValueError",
              "total size of new array must be unchanged", span);
  const Type* type = types::array(array->type->elem, int(shape.size()), types::Layout::kC,
                                  array->type->readonly, array->type->aligned);
  return call(Id::pyk_reshaped, type, shape);
}

std::vector<ir::Index> unravel(Emitter& in, ir::Expr* array, ir::Expr* index) {
  if (index->kind == ir::ExprKind::kConst && ir::as<ir::Const>(index)->value.integer == 0)
    return std::vector<ir::Index>(size_t(array->type->rank), {index, false, false});
  std::vector<ir::Index> indices;
  for (ir::Expr* i : unravel(in, extents(in, array, index->span), index))
    indices.push_back({i, false, false});
  return indices;
}

std::vector<ir::Expr*> unravel(Emitter& in, const std::vector<ir::Expr*>& shape, ir::Expr* index) {
  std::vector<ir::Expr*> indices;
  for (size_t axis = shape.size(); axis-- > 1;) {
    indices.push_back(arithmetic(in, BinaryOp::kMod, index, shape[axis]));
    index = arithmetic(in, BinaryOp::kFloorDiv, index, shape[axis]);
  }
  if (!shape.empty()) indices.push_back(index);
  std::reverse(indices.begin(), indices.end());
  return indices;
}

Operand flat_item(Emitter& in, const Flat& flat, const Operand& index, Span span) {
  ir::Expr* i = flat_index(in, index, span);
  if (!i) return error();
  ir::Expr* array = flat.array.expr;
  if (ir::Expr* view = flat_view(in, array, span)) {
    return subscript_of(in, to_operand(view), to_operand(i), span);
  }
  array = in.once(array, "items");
  i = in.once(wrapped(in, array, i, span), "k");
  return to_operand(in.make(ir::Element{
      {ir::ExprKind::kElement, array->type->elem, span}, array, in.list(unravel(in, array, i))}));
}

Place flat_place(Emitter& in, const Flat& flat, const Operand& index, Span span) {
  Place place;
  place.span = span;
  ir::Expr* i = flat_index(in, index, span);
  if (!i) return place;
  ir::Expr* array = flat.array.expr;
  if (ir::Expr* view = flat_view(in, array, span)) {
    return place_in(in, view, to_operand(i), span);
  }
  place.kind = Place::Kind::kElement;
  place.array = in.once(array, "items");
  place.indices = unravel(in, place.array, in.once(wrapped(in, place.array, i, span), "k"));
  place.type = array->type->elem;
  return place;
}

}  // namespace pyk2cu::infer
