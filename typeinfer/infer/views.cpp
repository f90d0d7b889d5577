// Views of memory as something else: a.view(dtype), np.float64(x).view(np.int64).
//
// In:   an array or a number, and the call.  Out: an operand that shows the same bytes; ValueError
// where NumPy raises it, PK4012 where sizes that are known do not fit.
// Tested by tests/run/test_views_as.py.
#include "typeinfer/builtins/registry.h"
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using types::CompareOp;

namespace {

ir::Expr* seen_as(Emitter& in, builtins::Id id, const Type* type, ir::Expr* of, const Type* elem,
                  Span span) {
  return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                             &builtins::row(id),
                             in.list(std::vector{of}),
                             in.list(std::vector{elem})});
}

// What NumPy asks of arrays whose elements are of another size: their last axis is divided anew.
void check_last_axis(Emitter& in, ir::Expr* array, int from, int to, Span span) {
  const int last = array->type->rank - 1;
  ir::Expr* count = in.once(query(in, ir::QueryOp::kShape, array, last, span), "count");
  const auto compared = [&](CompareOp op, ir::Expr* a, int64_t b) {
    return make_compare(in, op, a, in.const_int(b), span);
  };
  if (array->type->layout != types::Layout::kC) {
    ir::Expr* has_some = compared(CompareOp::kNe, query(in, ir::QueryOp::kSize, array, 0, span), 0);
    ir::Expr* apart =
        compared(CompareOp::kNe, query(in, ir::QueryOp::kStride, array, last, span), from);
    ir::Expr* several = compared(CompareOp::kNe, count, 1);
    in.raise_if(logical(in, true, has_some, logical(in, true, several, apart, span), span),
                "ValueError",
                "To change to a dtype of a different size, the last axis must be contiguous", span);
  }
  if (to <= from) return;
  ir::Expr* bytes =
      binary(in, ast::Operator::kMult, count, in.const_int(from, types::int64(), span), span);
  ir::Expr* left =
      binary(in, ast::Operator::kMod, bytes, in.const_int(to, types::int64(), span), span);
  in.raise_if(compared(CompareOp::kNe, left, 0), "ValueError",
              "When changing to a larger dtype, its size must be a divisor of the total size in "
              "bytes of the last axis of the array.",
              span);
}

}  // namespace

Operand view_as(Emitter& in, ir::Expr* x, const Arguments& args) {
  const auto bound = by_name(in, args, {"dtype"}, 1);
  const Type* elem = bound ? named_type((*bound)[0]) : nullptr;
  if (!elem || !in.context().has_form(elem, args.span))
    return elem || !bound ? error() : bad_arguments(in, args);
  const bool is_array = x->type->is_array();
  const Type* from = is_array ? x->type->elem : x->type;
  const bool fits = from->is_scalar() && elem->is_scalar() && (!is_array || x->type->aligned);
  if (!fits || !on_host(in, args)) return bad_arguments(in, args);
  const int old_size = types::item_size(from), size = types::item_size(elem);
  if (elem == from) return to_operand(x);
  if (!is_array || x->type->rank == 0) {
    if (size != old_size || elem->is_bool()) return bad_arguments(in, args);
    if (!is_array)
      return to_operand(seen_as(in, builtins::Id::pyk_bits_as, elem, x, elem, args.span));
  }
  x = in.once(x, "items");
  if (size != old_size) check_last_axis(in, x, old_size, size, args.span);
  // The last axis of a Fortran array that passes the check is the only one, or all others are 1.
  const bool stays = size == old_size || x->type->layout != types::Layout::kF;
  const types::Layout layout = stays ? x->type->layout : types::Layout::kA;
  if (!stays) x = convert(in, x, types::with_layout(x->type, layout), args.span);
  const int64_t alignment = types::alignment_of(elem);
  if (alignment > types::alignment_of(from))
    in.raise_if(
        seen_as(in, builtins::Id::pyk_is_misaligned, types::boolean(), x, elem, args.span),
        "ValueError",
        fmt::format("the elements of the view do not lie at multiples of {} bytes", alignment),
        args.span);
  if (elem->is_bool()) {
    ir::Expr* lacks = in.make(ir::Builtin{{ir::ExprKind::kBuiltin, types::boolean(), args.span},
                                          &builtins::row(builtins::Id::pyk_lacks_bools),
                                          in.list(std::vector{x})});
    in.raise_if(lacks, "ValueError", "a byte of the view is no bool: neither 0 nor 1", args.span);
  }
  const Type* type = types::array(elem, x->type->rank, layout, x->type->readonly);
  return to_operand(seen_as(in, builtins::Id::pyk_viewed, type, x, elem, args.span));
}

}  // namespace pyk2cu::infer
