// Conditions: see conditions.h. Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/conditions.h"

#include "typeinfer/infer/conversions.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using types::CompareOp;

bool holds(CompareOp op, int order) {  // order: -1, 0, 1
  switch (op) {
    case CompareOp::kEq:
      return order == 0;
    case CompareOp::kNe:
      return order != 0;
    case CompareOp::kLt:
      return order < 0;
    case CompareOp::kLe:
      return order <= 0;
    case CompareOp::kGt:
      return order > 0;
    case CompareOp::kGe:
      return order >= 0;
  }
  return false;
}

namespace {

// Of two constants of one type; nothing is said of complex numbers and NaN.
std::optional<bool> known_order(CompareOp op, const ir::Expr* left, const ir::Expr* right) {
  if (left->kind != ir::ExprKind::kConst || right->kind != ir::ExprKind::kConst) return {};
  if (left->type != right->type) return {};
  if (left->type->is_int()) {
    const int64_t l = ir::as<ir::Const>(left)->value.integer;
    const int64_t r = ir::as<ir::Const>(right)->value.integer;
    const bool less = left->type->is_signed ? l < r : uint64_t(l) < uint64_t(r);
    return holds(op, l == r ? 0 : less ? -1 : 1);
  }
  if (!left->type->is_float()) return {};
  const double l = ir::as<ir::Const>(left)->value.number.real();
  const double r = ir::as<ir::Const>(right)->value.number.real();
  if (l != l || r != r) return {};
  return holds(op, l == r ? 0 : l < r ? -1 : 1);
}

}  // namespace

const bool* known(const ir::Expr* condition) {
  static constexpr bool kValues[] = {false, true};
  if (condition->kind != ir::ExprKind::kConst || !condition->type->is_bool()) return nullptr;
  return &kValues[ir::as<ir::Const>(condition)->value.integer != 0];
}

ir::Expr* make_compare(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  if (const std::optional<bool> decided = known_order(op, left, right))
    return in.const_bool(*decided, span);
  return in.make(ir::Compare{{ir::ExprKind::kCompare, types::boolean(), span}, op, left, right});
}

std::optional<bool> decided(const ir::Expr* condition) {
  if (const bool* is_true = known(condition)) return *is_true;
  if (condition->kind == ir::ExprKind::kCompare) {
    const auto& c = *ir::as<ir::Compare>(condition);
    return known_order(c.op, c.left, c.right);
  }
  if (condition->kind == ir::ExprKind::kUnary) {
    const auto& u = *ir::as<ir::Unary>(condition);
    const auto inner = u.op == ir::UnaryOp::kNot ? decided(u.operand) : std::nullopt;
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  return {};  // logical() makes no Logical of what is decided
}

ir::Expr* negate(Emitter& in, ir::Expr* condition) {
  if (is_error(condition)) return condition;
  return ir::Builder{in.context().program(), condition->span}.negated(condition);
}

// (a and b) and c, however it is nested; what is known to decide, or not to matter, goes. Where
// that was not known before types were inferred, the result is not either: see folded_late(in, ).
ir::Expr* logical(Emitter& in, bool is_and, ir::Expr* left, ir::Expr* right, Span span) {
  if (is_error(left) || is_error(right)) return in.error(span);
  if (left->kind == ExprKind::kConst)
    return (ir::as<ir::Const>(left)->value.integer != 0) == is_and ? right : left;
  if (const auto known = decided(left)) return *known == is_and ? folded_late(in, right) : left;
  if (const auto known = decided(right)) return *known == is_and ? left : right;
  if (right->kind == ExprKind::kLogical && ir::as<ir::Logical>(right)->is_and == is_and) {
    const auto& inner = *ir::as<ir::Logical>(right);
    return logical(in, is_and, logical(in, is_and, left, inner.left, span), inner.right, span);
  }
  return in.make(ir::Logical{{ExprKind::kLogical, types::boolean(), span}, is_and, left, right});
}

ir::Expr* folded_late(Emitter& in, ir::Expr* condition) {
  if (in.dialect().rules != types::Rules::kNumba || is_error(condition) ||
      condition->kind != ir::ExprKind::kConst)
    return condition;
  ir::Expr* value = in.const_int(ir::as<ir::Const>(condition)->value.integer != 0, types::int64(),
                                 condition->span);
  return in.make(ir::Compare{{ir::ExprKind::kCompare, types::boolean(), condition->span},
                             types::CompareOp::kNe,
                             value,
                             in.const_int(0, types::int64(), condition->span)});
}

ir::Expr* truth(Emitter& in, ir::Expr* e, Span span) {
  const Type* type = e->type;
  if (is_error(e) || type->is_bool()) return e;
  if (type->is_none()) return in.const_bool(false, span);
  if (type->is_tuple()) return in.const_bool(!type->items.empty(), span);
  if (type->is_number()) return cast(in, e, types::boolean());
  if (type->is_list()) {
    ir::Expr* size = list_length(in, e, span);
    return make_compare(in, types::CompareOp::kNe, size, in.const_int(0, types::int64(), span),
                        span);
  }
  if (type->is_table()) {
    if (type->lacks_items()) return in.error(span);
    ir::Expr* size = table_length(in, e, span);
    return make_compare(in, types::CompareOp::kNe, size, in.const_int(0, types::int64(), span),
                        span);
  }
  if (type->is_optional()) {
    e = in.once(e);
    ir::Expr* has = in.make(ir::HasValue{{ir::ExprKind::kHasValue, types::boolean(), span}, e});
    ir::Expr* inside = in.make(ir::Unwrap{{ir::ExprKind::kUnwrap, type->elem, span}, e});
    return logical(in, true, has, truth(in, inside, span), span);
  }
  if (e->kind == ir::ExprKind::kConst && type->kind == types::Kind::kStr) {
    return in.const_bool(!ir::as<ir::Const>(e)->value.text.empty(), span);
  }
  auto builder = in.report(span, diag::NoTruth, types::print(type));
  if (type->is_array())
    builder.help(
        "ask for its length, `len(a) > 0`, for an element, or `.all()` and `.any()` of truths");
  return in.error(span);
}

}  // namespace pyk2cu::infer
