// Views of overlapping elements: np.lib.stride_tricks. That of sliding_window_view is read-only.
//
//   sliding_window_view(x, 3)     ->  strided(x, n - 2, 3, stride0, stride0)
//   as_strided(x, (2, 3), (8, 8)) ->  strided(x, 2, 3, 8, 8)
// In:   the call.  Out: an array operand of layout A; ValueError as NumPy raises it. Nobody checks
// that the elements of as_strided lie in the array, as in NumPy.
// Tested by tests/run/test_strided.py.
#include "typeinfer/builtins/registry.h"
#include "typeinfer/infer/conversions.h"
#include "typeinfer/infer/expr.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::infer {

using types::CompareOp;

namespace {

// Of an integer or a tuple of integers; nothing of anything else.
std::optional<std::vector<ir::Expr*>> integers(Emitter& in, const Operand& o, Span span) {
  if (!o.is_value() && !o.is<Pack>()) return std::nullopt;
  ir::Expr* e = unwrap(in, value_of(in, o, span), span);
  std::vector<ir::Expr*> out;
  if (e->type->is_tuple()) {
    if (e->kind != ir::ExprKind::kTuple) e = in.once(e, "numbers");
    for (size_t k = 0; k < e->type->items.size(); ++k)
      out.push_back(tuple_item(in, ir::Cloner(in.context().program()).expr(e), int(k), span));
  } else {
    out.push_back(e);
  }
  for (ir::Expr*& one : out) {
    if (!one->type->is_int()) return std::nullopt;
    one = in.once(cast(in, one, types::int64()), "number");
  }
  return out;
}

// An element of the view lies where the strides, in bytes, say.
Operand strided(Emitter& in, ir::Expr* array, std::vector<ir::Expr*> extents,
                const std::vector<ir::Expr*>& strides, bool readonly, Span span) {
  const Type* type = types::array(array->type->elem, int(extents.size()), types::Layout::kA,
                                  readonly || array->type->readonly, array->type->aligned);
  std::vector<ir::Expr*> args{array};
  args.insert(args.end(), extents.begin(), extents.end());
  args.insert(args.end(), strides.begin(), strides.end());
  return to_operand(in.make(ir::Builtin{{ir::ExprKind::kBuiltin, type, span},
                                        &builtins::row(builtins::Id::pyk_strided),
                                        in.list(std::move(args))}));
}

void refuse_negative(Emitter& in, ir::Expr* number, std::string_view message, Span span) {
  in.raise_if(make_compare(in, CompareOp::kLt, number, in.const_int(0), span), "ValueError",
              message, span);
}

Operand sliding_window_view(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"x", "window_shape", "axis", "subok", "writeable"}, 2);
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  const auto windows = integers(in, (*bound)[1], args.span);
  if (!array || array->type->rank == 0 || !windows) return bad_arguments(in, args);
  array = in.once(array, "items");
  const int rank = array->type->rank;
  std::vector<int> axes;
  const Operand& given = (*bound)[2];
  if (given.is_error() || given.is<None>()) {
    for (int k = 0; k < rank; ++k) axes.push_back(k);
  } else {
    const auto numbers = integers(in, given, args.span);
    for (const ir::Expr* one : numbers.value_or(std::vector<ir::Expr*>())) {
      const ir::Const* c = ir::constant(one);
      if (!c || c->value.integer < -rank || c->value.integer >= rank)
        return bad_arguments(in, args);
      axes.push_back(int(c->value.integer) + (c->value.integer < 0 ? rank : 0));
    }
  }
  if (axes.size() != windows->size()) return bad_arguments(in, args);
  std::vector<ir::Expr*> extents, strides;
  for (int k = 0; k < rank; ++k) {
    extents.push_back(query(in, ir::QueryOp::kShape, array, k, args.span));
    strides.push_back(query(in, ir::QueryOp::kStride, array, k, args.span));
  }
  const auto copy = [&](ir::Expr* e) { return ir::Cloner(in.context().program()).expr(e); };
  for (ir::Expr* window : *windows)
    refuse_negative(in, copy(window), "`window_shape` cannot contain negative values", args.span);
  for (size_t k = 0; k < axes.size(); ++k) {
    ir::Expr*& extent = extents[size_t(axes[k])];
    ir::Expr* left = make_binary(in, types::BinaryOp::kSub, extent, copy((*windows)[k]),
                                 types::int64(), args.span);
    extent = in.once(
        make_binary(in, types::BinaryOp::kAdd, left, in.const_int(1), types::int64(), args.span),
        "count");
    in.raise_if(make_compare(in, CompareOp::kLt, copy(extent), in.const_int(1), args.span),
                "ValueError", "window shape cannot be larger than input array shape", args.span);
    extents.push_back(copy((*windows)[k]));
    strides.push_back(copy(strides[size_t(axes[k])]));
  }
  return strided(in, array, extents, strides, true, args.span);
}

Operand as_strided(Emitter& in, const Arguments& args) {
  if (!on_host(in, args)) return error();
  const auto bound = by_name(in, args, {"x", "shape", "strides", "subok", "writeable"}, 3);
  if (!bound) return error();
  ir::Expr* array = array_of(in, (*bound)[0], args.span);
  const auto shape = integers(in, (*bound)[1], args.span);
  const auto strides = integers(in, (*bound)[2], args.span);
  const bool fits = array && shape && strides && !shape->empty() &&
                    shape->size() == strides->size() && array->type->rank > 0;
  if (!fits) return bad_arguments(in, args);
  array = in.once(array, "items");
  for (ir::Expr* extent : *shape)
    refuse_negative(in, ir::Cloner(in.context().program()).expr(extent),
                    "negative dimensions are not allowed", args.span);
  return strided(in, array, *shape, *strides, false, args.span);
}

constexpr HandlerRow kHandlers[] = {
    {"numpy.lib.stride_tricks.sliding_window_view", sliding_window_view},
    {"numpy.lib.stride_tricks.as_strided", as_strided},
};

}  // namespace

std::span<const HandlerRow> strided_handlers() { return kHandlers; }

}  // namespace pyk2cu::infer
