// Arrays that functions compute: np.arange, linspace, cumsum, cumprod, sort, argsort; the methods
// fill and sort, which change an array in place.
//
// In:   arguments already evaluated.  Out: an array held by a temporary, or None.
// Types are Numba's; an axis of an array of several is an array expression. The values are the
// runtime's (pyk/series.h). Kernels have none of these.
// Tested by tests/run/test_reductions.py.
#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using builtins::Id;
using ir::Fill;

namespace {

ir::Expr* call_of(Emitter& in, Id id, std::vector<ir::Expr*> values, const Type* type, Span span) {
  return in.make(ir::Builtin{
      {ir::ExprKind::kBuiltin, type, span}, &builtins::row(id), in.list(std::move(values)), {}});
}

// Elements that `id` writes into a new array of one dimension.
Operand made_by(Emitter& in, Id id, const Type* elem, ir::Expr* size, std::vector<ir::Expr*> values,
                Span span) {
  ir::Expr* made = new_array(in, Fill::kUninitialized, types::array(elem, 1, types::Layout::kC),
                             {size}, nullptr, span);
  values.insert(values.begin(), made);
  in.emit_eval(call_of(in, id, std::move(values), types::void_(), span));
  return to_operand(made);
}

// A number; null when it is none.
ir::Expr* number(Emitter& in, const Operand& o, Span span) {
  ir::Expr* e = o.is_value() ? unwrap(in, o.value(), span) : nullptr;
  return e && e->type->is_scalar() ? e : nullptr;
}

// np.arange(stop), np.arange(start, stop, step, dtype)
Operand arange(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"start", "stop", "step", "dtype"}, 1);
  if (!bound) return error();
  const Span span = args.span;
  const auto given = [&](size_t k) { return !(*bound)[k].is_error() && !(*bound)[k].is<None>(); };
  ir::Expr* start = number(in, (*bound)[0], span);
  ir::Expr* stop = given(1) ? number(in, (*bound)[1], span) : start;
  ir::Expr* step = given(2) ? number(in, (*bound)[2], span) : in.const_int(1);
  if (!start || !stop || !step) return bad_arguments(in, args);
  if (!given(1)) start = in.const_int(0);
  const Type* elem = types::int64();
  for (ir::Expr* e : {start, stop, step}) {
    if (!e->type->is_real()) return refuse_arrays(in, args);
    if (e->type->is_float()) elem = types::float64();
  }
  const Type* type = dtype_argument(in, (*bound)[3], elem, args);
  if (!type) return error();
  if (!type->is_number() && !type->is_bool()) return refuse_arrays(in, args);
  start = in.once(start, "start");
  stop = in.once(stop, "stop");
  step = in.once(step, "step");
  in.raise_if(make_compare(in, types::CompareOp::kEq, step, zero(in, step->type, span), span),
              "ValueError", "Maximum allowed size exceeded", span);
  ir::Expr* extent = binary(in, ast::Operator::kSub, stop, start, span);
  const types::OpTypes t =
      types::binary(types::BinaryOp::kDiv, extent->type, step->type, in.dialect());
  ir::Expr* quotient = make_binary(in, types::BinaryOp::kDiv, cast(in, extent, t.left),
                                   cast(in, step, t.right), t.result, span);
  ir::Expr* size = in.once(call_of(in, Id::numpy_range_size, {cast(in, quotient, types::float64())},
                                   types::int64(), span),
                           "size");
  return made_by(in, Id::numpy_arange, type, size, {start, step}, span);
}

// np.linspace(start, stop, num)
Operand linspace(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = of_array(in, args, {"start", "stop", "num"}, 2);
  if (!bound) return error();
  ir::Expr *start = number(in, (*bound)[0], args.span), *stop = number(in, (*bound)[1], args.span);
  const bool is_counted = !(*bound)[2].is_error();
  ir::Expr* count = is_counted ? number(in, (*bound)[2], args.span) : in.const_int(50);
  if (!start || !stop || !count || !count->type->is_int()) return bad_arguments(in, args);
  const bool is_complex = start->type->is_complex() || stop->type->is_complex();
  const Type* elem = is_complex ? types::complex128() : types::float64();
  start = in.once(cast(in, start, elem), "start");
  stop = in.once(cast(in, stop, elem), "stop");
  std::vector<ir::Expr*> shape;
  if (!add_dimension(in, to_operand(count), shape, args)) return error();
  return made_by(in, Id::numpy_linspace, elem, shape[0], {start, stop}, args.span);
}

// np.cumsum(a), a.cumprod(): of all elements in C order.
Operand cumulate(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = of_array(in, args, {"a", "axis"});
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  if (!array || !((*bound)[1].is_error() || (*bound)[1].is<None>())) return refuse_arrays(in, args);
  array = in.once(array, "items");
  const Type* elem = accumulator(array->type->elem);
  const Id id = args.path.ends_with("cumsum") ? Id::numpy_cumsum : Id::numpy_cumprod;
  return made_by(in, id, elem, query(in, ir::QueryOp::kSize, array, 0, args.span), {array},
                 args.span);
}

ir::Expr* contiguous(Emitter& in, ir::Expr* array, Span span) {
  return copy_as(in, array, types::array(array->type->elem, 1, types::Layout::kC), span);
}

bool sorts(const ir::Expr* array) {
  return array && array->type->rank == 1 && array->type->elem->is_real();
}

// np.sort(a): a sorted copy.
Operand sort(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = of_array(in, args, {"a"});
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  if (!sorts(array)) return refuse_arrays(in, args);
  ir::Expr* copy = contiguous(in, array, args.span);
  in.emit_eval(call_of(in, Id::numpy_sort, {copy}, types::void_(), args.span));
  return to_operand(copy);
}

Operand argsort(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = of_array(in, args, {"a", "kind"});
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  const bool named = (*bound)[1].is_error() || (*bound)[1].is<Str>();
  if (!sorts(array) || !named) return refuse_arrays(in, args);
  array = in.once(array, "items");
  return made_by(in, Id::numpy_argsort, types::int64(),
                 query(in, ir::QueryOp::kSize, array, 0, args.span), {array}, args.span);
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.arange", arange},    {"numpy.linspace", linspace}, {"numpy.cumsum", cumulate},
    {"numpy.cumprod", cumulate}, {"numpy.sort", sort},         {"numpy.argsort", argsort},
};

bool is_writable(Emitter& in, ir::Expr* array, Span span) {
  if (!array->type->readonly) return true;
  in.report(span, diag::StoreToReadonly, types::print(array->type))
      .help("store into a copy of it: `b = a.copy()`");
  return false;
}

}  // namespace

std::span<const HandlerRow> series_handlers() { return kHandlers; }

// a.fill(x)
Operand fill_array(Emitter& in, ir::Expr* array, const Arguments& args) {
  const auto bound = by_name(in, args, {"value"}, 1);
  if (!bound) return error();
  ir::Expr* value = number(in, (*bound)[0], args.span);
  if (!value) return bad_arguments(in, args);
  if (!is_writable(in, array, args.span)) return error();
  value = convert(in, value, array->type->elem, args.span);
  if (is_error(value)) return error();
  in.emit_eval(call_of(in, Id::pyk_fill, {array, value}, types::void_(), args.span));
  return {None{}, args.span};
}

// a.sort(): of one dimension; through a copy where elements do not lie side by side.
Operand sort_array(Emitter& in, ir::Expr* array, const Arguments& args) {
  if (!by_name(in, args, {}, 0)) return error();
  if (!sorts(array)) return refuse_arrays(in, args);
  if (!on_host(in, args) || !is_writable(in, array, args.span)) return error();
  array = in.once(array, "items");
  const bool is_contiguous = array->type->layout != types::Layout::kA;
  ir::Expr* sorted = is_contiguous ? array : contiguous(in, array, args.span);
  in.emit_eval(call_of(in, Id::numpy_sort, {sorted}, types::void_(), args.span));
  if (!is_contiguous) copy_elements(in, array, sorted, {}, args.span);
  return {None{}, args.span};
}

}  // namespace pyk2cu::infer
