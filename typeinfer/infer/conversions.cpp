// Conversions: see conversions.h. Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/conversions.h"

#include <cmath>
#include <limits>

#include "typeinfer/infer/conditions.h"

namespace pyk2cu::infer {

using ir::ConvertOp;
using ir::ExprKind;

// Null for types that have no zero (arrays).
ir::Expr* zero(Emitter& in, const Type* type, Span span) {
  if (type->is_bool()) return in.const_bool(false, span);
  if (type->is_int()) return in.const_int(0, type, span);
  if (type->is_float() || type->is_complex()) return in.const_float(0, type, span);
  if (type->is_optional()) return in.make(ir::Wrap{{ExprKind::kWrap, type, span}, nullptr});
  if (!type->is_tuple()) return nullptr;
  std::vector<ir::Expr*> items;
  for (const Type* item : type->items) {
    items.push_back(zero(in, item, span));
    if (!items.back()) return nullptr;
  }
  return in.make(ir::Tuple{{ExprKind::kTuple, type, span}, in.list(std::move(items))});
}

namespace {

int64_t wrap_to(int64_t v, const Type* to) {
  if (to->bits == 64) return v;
  const uint64_t mask = (uint64_t(1) << to->bits) - 1;
  uint64_t low = uint64_t(v) & mask;
  if (to->is_signed && (low >> (to->bits - 1))) low |= ~mask;
  return int64_t(low);
}

int64_t truncate_to(double v, const Type* to) {
  if (std::isnan(v)) return 0;
  const int magnitude = to->bits - (to->is_signed ? 1 : 0);
  const double limit = std::ldexp(1.0, magnitude);
  const uint64_t top = magnitude == 64 ? ~uint64_t(0) : (uint64_t(1) << magnitude) - 1;
  if (v >= limit) return int64_t(top);
  if (!to->is_signed) return v <= 0 ? 0 : int64_t(uint64_t(v));
  return v < -limit ? -int64_t(top) - 1 : int64_t(v);
}

// The constant `c` as a value of another scalar type.
ir::Value fold_conversion(const ir::Const& c, const Type* to) {
  const ir::Value& from = c.value;
  const bool whole = from.kind == ir::Value::Kind::kInt || from.kind == ir::Value::Kind::kBool;
  const bool is_unsigned = c.type->is_int() && !c.type->is_signed;
  ir::Value v;
  if (to->is_bool()) {
    v.kind = ir::Value::Kind::kBool;
    v.integer = whole ? from.integer != 0 : from.number != 0.0;
  } else if (to->is_int()) {
    v.kind = ir::Value::Kind::kInt;
    v.integer = whole ? wrap_to(from.integer, to) : truncate_to(from.number.real(), to);
  } else {
    v.kind = to->is_complex() ? ir::Value::Kind::kComplex : ir::Value::Kind::kFloat;
    v.number = from.number;
    if (whole) v.number = is_unsigned ? double(uint64_t(from.integer)) : double(from.integer);
    const int bits = to->is_complex() ? to->bits / 2 : to->bits;
    if (bits == 32) {
      v.number = {double(float(v.number.real())), double(float(v.number.imag()))};
      if (whole && is_unsigned) v.number = double(float(uint64_t(from.integer)));
      if (whole && !is_unsigned) v.number = double(float(from.integer));
    }
  }
  return v;
}

// Optional(int32) -> Optional(int64): look inside when there is something.
ir::Expr* convert_optional(Emitter& in, ir::Expr* e, const Type* to) {
  ir::Expr* from = in.once(e, "maybe");
  ir::Expr* has = in.make(ir::HasValue{{ExprKind::kHasValue, types::boolean(), e->span}, from});
  ir::Expr* inner = in.make(ir::Unwrap{{ExprKind::kUnwrap, e->type->elem, e->span}, from});
  ir::Expr* some = in.make(ir::Wrap{{ExprKind::kWrap, to, e->span}, cast(in, inner, to->elem)});
  ir::Expr* none = in.make(ir::Wrap{{ExprKind::kWrap, to, e->span}, nullptr});
  return in.make(ir::Select{{ExprKind::kSelect, to, e->span}, has, some, none});
}

}  // namespace

ir::Expr* cast(Emitter& in, ir::Expr* e, const Type* to) {
  if (e->type == to || is_error(e) || to->is_error()) return e;
  const Span span = e->span;
  const auto convert_node = [&](ConvertOp op) {
    return in.make(ir::Convert{{ExprKind::kConvert, to, span}, op, e});
  };
  if (to->is_optional()) {
    if (e->type->is_none()) return in.make(ir::Wrap{{ExprKind::kWrap, to, span}, nullptr});
    if (e->type->is_optional()) return convert_optional(in, e, to);
    return in.make(ir::Wrap{{ExprKind::kWrap, to, span}, cast(in, e, to->elem)});
  }
  if (e->type->is_optional())
    return cast(in, in.make(ir::Unwrap{{ExprKind::kUnwrap, e->type->elem, span}, e}), to);
  if (to->is_tuple()) {
    if (e->kind != ExprKind::kTuple) return convert_node(ConvertOp::kTuple);
    const auto from = ir::as<ir::Tuple>(e)->items;
    std::vector<ir::Expr*> items(from.begin(), from.end());
    for (size_t i = 0; i < items.size(); ++i) items[i] = cast(in, items[i], to->items[i]);
    return in.make(ir::Tuple{{ExprKind::kTuple, to, span}, in.list(std::move(items))});
  }
  if (to->is_array()) return convert_node(ConvertOp::kLayout);
  if (to->is_container()) return in.error(span);  // of a list whose items are not known yet
  if (e->kind == ExprKind::kConst && e->type->is_scalar() && to->is_scalar())
    return in.make(
        ir::Const{{ExprKind::kConst, to, span}, fold_conversion(*ir::as<ir::Const>(e), to)});
  return convert_node(ir::conversion(e->type, to));
}

ir::Expr* convert(Emitter& in, ir::Expr* e, const Type* to, Span span) {
  if (e->type == to || is_error(e) || to->is_error()) return e;
  if (types::conversion(e->type, to) == types::Conversion::kNone) {
    auto builder = in.report(span, diag::CannotConvert, types::print(e->type), types::print(to));
    if (e->type->is_list() && to->is_array())
      builder.help("make it an array: `np.array(a)`; or say that it is a list: `" +
                   types::print(e->type) + "(…)`");
    if (e->type->is_complex() && to->is_number())
      builder.help("take its `.real`, its `.imag` or its `abs()`");
    return in.error(span);
  }
  if (e->type->is_optional() && !to->is_optional()) {
    e = in.once(e, "maybe");
    ir::Expr* has = in.make(ir::HasValue{{ExprKind::kHasValue, types::boolean(), span}, e});
    if (!in.on_cuda())
      in.raise_if(negate(in, has), "TypeError", "expected " + types::print(to) + ", got None",
                  span);
  }
  return cast(in, e, to);
}

ir::Expr* unwrap(Emitter& in, ir::Expr* e, Span span) {
  if (!e->type->is_optional()) return e;
  e = in.once(e);
  if (!in.on_cuda()) {
    ir::Expr* has = in.make(ir::HasValue{{ir::ExprKind::kHasValue, types::boolean(), span}, e});
    in.raise_if(negate(in, has), "TypeError",
                "expected " + types::print(e->type->elem) + ", got None", span);
  }
  return in.make(ir::Unwrap{{ir::ExprKind::kUnwrap, e->type->elem, span}, e});
}

}  // namespace pyk2cu::infer
