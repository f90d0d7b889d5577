// Tools that all of inference shares: making nodes, constants, conversions, temporaries, order of
// evaluation.
//
// In, out: infer.h. Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#include <cmath>
#include <limits>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using ir::ConvertOp;
using ir::ExprKind;
using ir::StmtKind;

// ---- constants ---------------------------------------------------------------------------------

ir::Expr* Infer::const_int(int64_t v, const Type* type, Span span) {
  ir::Value value;
  value.kind = ir::Value::Kind::kInt;
  value.integer = v;
  return make(ir::Const{{ExprKind::kConst, type, span}, value});
}

ir::Expr* Infer::const_bool(bool v, Span span) {
  ir::Value value;
  value.kind = ir::Value::Kind::kBool;
  value.integer = v;
  return make(ir::Const{{ExprKind::kConst, types::boolean(), span}, value});
}

ir::Expr* Infer::const_float(double v, const Type* type, Span span) {
  ir::Value value;
  value.kind = type->is_complex() ? ir::Value::Kind::kComplex : ir::Value::Kind::kFloat;
  value.number = v;
  return make(ir::Const{{ExprKind::kConst, type, span}, value});
}

ir::Expr* Infer::const_str(std::string_view text, Span span) {
  ir::Value value;
  value.kind = ir::Value::Kind::kStr;
  value.text = unit_.program().keep(std::string(text));
  return make(ir::Const{{ExprKind::kConst, types::str(), span}, value});
}

// Null for types that have no zero (arrays).
ir::Expr* Infer::zero(const Type* type, Span span) {
  if (type->is_bool()) return const_bool(false, span);
  if (type->is_int()) return const_int(0, type, span);
  if (type->is_float() || type->is_complex()) return const_float(0, type, span);
  if (type->is_optional()) return make(ir::Wrap{{ExprKind::kWrap, type, span}, nullptr});
  if (!type->is_tuple()) return nullptr;
  std::vector<ir::Expr*> items;
  for (const Type* item : type->items) {
    items.push_back(zero(item, span));
    if (!items.back()) return nullptr;
  }
  return make(ir::Tuple{{ExprKind::kTuple, type, span}, list(std::move(items))});
}

// ---- small nodes -------------------------------------------------------------------------------

ir::Expr* Infer::load(ir::Local* local, Span span) {
  return make(ir::Load{{ExprKind::kLoad, local->type, span}, local});
}

ir::Expr* Infer::make_tuple(std::vector<ir::Expr*> items, Span span) {
  std::vector<const Type*> item_types;
  for (const ir::Expr* item : items) {
    if (is_error(item)) return error(span);
    item_types.push_back(item->type);
  }
  return make(
      ir::Tuple{{ExprKind::kTuple, types::tuple(item_types), span}, list(std::move(items))});
}

ir::Expr* Infer::negate(ir::Expr* c) {
  if (is_error(c)) return c;
  if (c->kind == ExprKind::kConst) return const_bool(!ir::as<ir::Const>(c)->value.integer, c->span);
  if (c->kind == ExprKind::kUnary && ir::as<ir::Unary>(c)->op == ir::UnaryOp::kNot)
    return ir::as<ir::Unary>(c)->operand;
  if (c->kind == ExprKind::kCompare) {  // only NaN makes `not a < b` differ from `a >= b`
    constexpr ir::CompareOp kOpposite[] = {ir::CompareOp::kNe, ir::CompareOp::kEq,
                                           ir::CompareOp::kGe, ir::CompareOp::kGt,
                                           ir::CompareOp::kLe, ir::CompareOp::kLt};
    ir::Compare flipped = *ir::as<ir::Compare>(c);
    const bool equality = flipped.op == ir::CompareOp::kEq || flipped.op == ir::CompareOp::kNe;
    flipped.op = kOpposite[int(flipped.op)];
    if (equality || flipped.left->type->is_int()) return make(flipped);
  }
  return make(ir::Unary{{ExprKind::kUnary, types::boolean(), c->span}, ir::UnaryOp::kNot, c});
}

// (a and b) and c, however it is nested; what is known to decide, or not to matter, goes. Where
// that was not known before types were inferred, the result is not either: see folded_late().
ir::Expr* Infer::logical(bool is_and, ir::Expr* left, ir::Expr* right, Span span) {
  if (is_error(left) || is_error(right)) return error(span);
  if (left->kind == ExprKind::kConst)
    return (ir::as<ir::Const>(left)->value.integer != 0) == is_and ? right : left;
  if (const auto known = decided(left)) return *known == is_and ? folded_late(right) : left;
  if (const auto known = decided(right)) return *known == is_and ? left : right;
  if (right->kind == ExprKind::kLogical && ir::as<ir::Logical>(right)->is_and == is_and) {
    const auto& inner = *ir::as<ir::Logical>(right);
    return logical(is_and, logical(is_and, left, inner.left, span), inner.right, span);
  }
  return make(ir::Logical{{ExprKind::kLogical, types::boolean(), span}, is_and, left, right});
}

ir::Expr* Infer::error(Span span) {
  return make(ir::Const{{ExprKind::kConst, types::error(), span}, {}});
}

// ---- conversions -------------------------------------------------------------------------------

namespace {

int significant_bits(const Type* t) {  // integers that the type holds exactly
  if (t->is_bool()) return 1;
  if (t->is_int()) return t->bits - (t->is_signed ? 1 : 0);
  const int bits = t->is_complex() ? t->bits / 2 : t->bits;
  return bits == 64 ? 53 : bits == 32 ? 24 : 11;
}

ConvertOp scalar_op(const Type* from, const Type* to) {
  if (to->is_bool()) return ConvertOp::kTruth;
  if (to->is_int()) {
    if (from->is_float()) return ConvertOp::kTrunc;
    const bool sign_kept = to->is_signed || !from->is_signed;
    return sign_kept && significant_bits(from) <= significant_bits(to) ? ConvertOp::kExact
                                                                       : ConvertOp::kWrap;
  }
  return significant_bits(from) <= significant_bits(to) ? ConvertOp::kExact : ConvertOp::kRound;
}

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

}  // namespace

ir::Expr* Infer::cast(ir::Expr* e, const Type* to) {
  if (e->type == to || is_error(e) || to->is_error()) return e;
  const Span span = e->span;
  const auto convert_node = [&](ConvertOp op) {
    return make(ir::Convert{{ExprKind::kConvert, to, span}, op, e});
  };
  if (to->is_optional()) {
    if (e->type->is_none()) return make(ir::Wrap{{ExprKind::kWrap, to, span}, nullptr});
    if (e->type->is_optional()) return convert_optional(e, to);
    return make(ir::Wrap{{ExprKind::kWrap, to, span}, cast(e, to->elem)});
  }
  if (e->type->is_optional())
    return cast(make(ir::Unwrap{{ExprKind::kUnwrap, e->type->elem, span}, e}), to);
  if (to->is_tuple()) {
    if (e->kind != ExprKind::kTuple) return convert_node(ConvertOp::kTuple);
    const auto from = ir::as<ir::Tuple>(e)->items;
    std::vector<ir::Expr*> items(from.begin(), from.end());
    for (size_t i = 0; i < items.size(); ++i) items[i] = cast(items[i], to->items[i]);
    return make(ir::Tuple{{ExprKind::kTuple, to, span}, list(std::move(items))});
  }
  if (to->is_array()) return convert_node(ConvertOp::kLayout);
  if (e->kind == ExprKind::kConst && e->type->is_scalar() && to->is_scalar())
    return make(
        ir::Const{{ExprKind::kConst, to, span}, fold_conversion(*ir::as<ir::Const>(e), to)});
  return convert_node(scalar_op(e->type, to));
}

// Optional(int32) -> Optional(int64): look inside when there is something.
ir::Expr* Infer::convert_optional(ir::Expr* e, const Type* to) {
  ir::Expr* from = once(e, "maybe");
  ir::Expr* has = make(ir::HasValue{{ExprKind::kHasValue, types::boolean(), e->span}, from});
  ir::Expr* inner = make(ir::Unwrap{{ExprKind::kUnwrap, e->type->elem, e->span}, from});
  ir::Expr* some = make(ir::Wrap{{ExprKind::kWrap, to, e->span}, cast(inner, to->elem)});
  ir::Expr* none = make(ir::Wrap{{ExprKind::kWrap, to, e->span}, nullptr});
  return make(ir::Select{{ExprKind::kSelect, to, e->span}, has, some, none});
}

ir::Expr* Infer::convert(ir::Expr* e, const Type* to, Span span) {
  if (e->type == to || is_error(e) || to->is_error()) return e;
  if (types::conversion(e->type, to) == types::Conversion::kNone) {
    auto builder = report(span, diag::CannotConvert, types::print(e->type), types::print(to));
    if (e->type->is_complex() && to->is_number())
      builder.help("take its `.real`, its `.imag` or its `abs()`");
    return error(span);
  }
  if (e->type->is_optional() && !to->is_optional()) {
    e = once(e, "maybe");
    ir::Expr* has = make(ir::HasValue{{ExprKind::kHasValue, types::boolean(), span}, e});
    if (!on_cuda())
      raise_if(negate(has), "TypeError", "expected " + types::print(to) + ", got None", span);
  }
  return cast(e, to);
}

// ---- statements and temporaries ----------------------------------------------------------------

ir::Local* Infer::temp(std::string_view stem, const Type* type, Span span) {
  const Symbol name(stem);
  ir::Local* local = make(ir::Local{name, ++versions_made_[name], type, span, false, true});
  function_->locals.push_back(local);
  return local;
}

ir::Expr* Infer::spill(ir::Expr* e, std::string_view stem) {
  if (is_error(e)) return e;
  ir::Local* local = temp(stem, e->type, e->span);
  emit_assign(local, e, e->span);
  return load(local, e->span);
}

ir::Expr* Infer::once(ir::Expr* e, std::string_view stem) {
  if (is_error(e) || e->kind == ExprKind::kConst || e->kind == ExprKind::kLoad ||
      e->kind == ExprKind::kGlobal || e->kind == ExprKind::kLane)
    return e;
  return spill(e, stem);
}

void Infer::emit_assign(ir::Local* local, ir::Expr* value, Span span) {
  emit(make(ir::Assign{{StmtKind::kAssign, span}, local, value}));
}

void Infer::emit_eval(ir::Expr* e) { emit(make(ir::Eval{{StmtKind::kEval, e->span}, e})); }

ir::Expr* Infer::reclaim(ir::Expr* e) {
  if (!reclaiming_ || e->kind != ExprKind::kLoad || block_->empty()) return e;
  ir::Local* local = ir::as<ir::Load>(e)->local;
  ir::Stmt* last = block_->back();
  if (!local->is_temp || last->kind != StmtKind::kAssign) return e;
  auto* assign = ir::as<ir::Assign>(last);
  const ExprKind kind = assign->value->kind;
  if (assign->local != local ||
      (kind != ExprKind::kCall && kind != ExprKind::kBuiltin && kind != ExprKind::kNewArray))
    return e;
  block_->pop_back();
  std::erase(function_->locals, local);
  return assign->value;
}

void Infer::raise_if(ir::Expr* condition, std::string_view exception, std::string_view message,
                     Span span) {
  if (is_error(condition)) return;
  if (condition->kind == ExprKind::kConst && !ir::as<ir::Const>(condition)->value.integer) return;
  std::vector<ir::Expr*> args;
  if (!message.empty()) args.push_back(const_str(message, span));
  ir::Block* body = into_block([&] {
    emit(make(ir::Raise{{StmtKind::kRaise, span}, Symbol(exception), list(std::move(args))}));
  });
  emit(make(ir::If{{StmtKind::kIf, span}, condition, body, block_of({})}));
}

// ---- order of evaluation -----------------------------------------------------------------------

namespace {

// Does the statement only check something? Then values computed before it stay what they are.
bool only_checks(const ir::Stmt& s) {
  if (s.kind != StmtKind::kIf) return false;
  const auto& check = *ir::as<ir::If>(&s);
  return check.orelse->empty() && check.body->size() == 1 &&
         check.body->front()->kind == StmtKind::kRaise;
}

bool only_computes(const ir::Stmt& s) {  // a temp set to something without effects
  if (s.kind != StmtKind::kAssign) return false;
  const auto& assign = *ir::as<ir::Assign>(&s);
  const ExprKind kind = assign.value->kind;
  return assign.local->is_temp && kind != ExprKind::kCall && kind != ExprKind::kBuiltin;
}

}  // namespace

ir::Expr* Infer::settle(ir::Expr* e, Mark m) {
  if (is_error(e) || e->kind == ExprKind::kConst || e->kind == ExprKind::kLane || block_ != m.block)
    return e;
  bool effects = false, rebound = false;
  for (size_t i = m.size; i < block_->size(); ++i) {
    const ir::Stmt& s = *(*block_)[i];
    if (only_checks(s) || only_computes(s)) continue;
    effects = true;
    if (s.kind == StmtKind::kAssign && e->kind == ExprKind::kLoad)
      rebound |= ir::as<ir::Assign>(&s)->local == ir::as<ir::Load>(e)->local;
    if (s.kind == StmtKind::kIf) rebound = true;
  }
  if (!effects || (e->kind == ExprKind::kLoad && !rebound)) return e;
  ir::Local* local = temp("t", e->type, e->span);
  block_->insert(block_->begin() + int64_t(m.size),
                 make(ir::Assign{{StmtKind::kAssign, e->span}, local, e}));
  return load(local, e->span);
}

void Infer::not_supported(Span span, std::string_view what, std::string_view help) {
  auto builder = report(span, diag::NotSupported, what);
  if (!help.empty()) builder.help(std::string(help));
}

}  // namespace pyk2cu::infer
