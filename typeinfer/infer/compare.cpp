// Comparisons: chains, == < of scalars and tuples, `is`, `in`.
//
// In:   operands, evaluated once each and from left to right.  Out: bools; Const when the types
// decide (`x is None` for an x that is never None).
// Rules: S14 (common type of both sides), S15 (chains stop at the first False), S57, S58.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include <optional>

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using types::CompareOp;
using AstOp = ast::CompareOperator;

namespace {

CompareOp ir_op(AstOp op) {
  switch (op) {
    case AstOp::kNotEq:
      return CompareOp::kNe;
    case AstOp::kLt:
      return CompareOp::kLt;
    case AstOp::kLtE:
      return CompareOp::kLe;
    case AstOp::kGt:
      return CompareOp::kGt;
    case AstOp::kGtE:
      return CompareOp::kGe;
    default:
      return CompareOp::kEq;
  }
}

std::string_view spelling(CompareOp op) {
  static constexpr std::string_view kTexts[] = {"==", "!=", "<", "<=", ">", ">="};
  return kTexts[size_t(op)];
}

bool is_equality(CompareOp op) { return op == CompareOp::kEq || op == CompareOp::kNe; }

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

ir::Expr* values(Infer& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span);

ir::Expr* refuse(Infer& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  in.report(span, diag::BadOperands, spelling(op), types::print(left->type),
            types::print(right->type));
  return in.error(span);
}

// (a, b) == (c, d): all items; (a, b) < (c, d): the first items that differ decide, then the
// length.
ir::Expr* tuples(Infer& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  const size_t n = left->type->items.size(), m = right->type->items.size();
  if (is_equality(op) && n != m) return in.const_bool(op == CompareOp::kNe, span);
  if (left->kind != ir::ExprKind::kTuple) left = in.once(left);
  if (right->kind != ir::ExprKind::kTuple) right = in.once(right);
  ir::Expr* result = in.const_bool(holds(op, n < m ? -1 : n > m ? 1 : 0), span);
  for (size_t i = std::min(n, m); i-- > 0;) {
    ir::Expr* l = in.tuple_item(left, int(i), span);
    ir::Expr* r = in.tuple_item(right, int(i), span);
    const bool last = i + 1 == std::min(n, m);
    if (op == CompareOp::kNe) {
      ir::Expr* differs = values(in, op, l, r, span);
      result = last ? differs : in.logical(false, differs, result, span);
      continue;
    }
    ir::Expr* equal = values(in, CompareOp::kEq, l, r, span);
    if (op == CompareOp::kEq) {
      result = last ? equal : in.logical(true, equal, result, span);
      continue;
    }
    ir::Expr* decided = values(in, op, l, r, span);
    if (Infer::is_error(equal) || Infer::is_error(decided)) return in.error(span);
    if (last && n == m) {
      result = decided;
      continue;
    }
    result = in.make(
        ir::Select{{ir::ExprKind::kSelect, types::boolean(), span}, equal, result, decided});
  }
  return result;
}

// == and < of two values.
ir::Expr* values(Infer& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  if (Infer::is_error(left) || Infer::is_error(right)) return in.error(span);
  left = unwrap(in, left, span);
  right = unwrap(in, right, span);
  if (left->type->is_tuple() && right->type->is_tuple()) {
    return tuples(in, op, left, right, span);
  }
  if (left->type->is_array() || right->type->is_array()) {
    return array_expression(in, span, spelling(op));
  }
  if (!left->type->is_scalar() || !right->type->is_scalar()) {
    return refuse(in, op, left, right, span);
  }
  settle_literals(in, left, right);
  const types::OpTypes t = types::compare(op, left->type, right->type, in.dialect());
  if (!t) return refuse(in, op, left, right, span);
  left = in.cast(left, t.left);
  right = in.cast(right, t.right);
  return in.make(ir::Compare{{ir::ExprKind::kCompare, types::boolean(), span}, op, left, right});
}

ir::Expr* is_none(Infer& in, const Operand& o, Span span) {
  if (o.is<None>() || (o.is_value() && o.type()->is_none())) {
    return in.const_bool(true, span);
  }
  if (!o.is_value() || !o.type()->is_optional()) return in.const_bool(false, span);
  return in.negate(
      in.make(ir::HasValue{{ir::ExprKind::kHasValue, types::boolean(), span}, in.once(o.value())}));
}

bool is_none_operand(const Operand& o) {
  return o.is<None>() || (o.is_value() && o.type()->is_none());
}

// `a is b` for what is not None.
ir::Expr* identity(Infer& in, const Operand& left, const Operand& right, Span span) {
  if (left.is<Function>() && right.is<Function>()) {
    return in.const_bool(left.as<Function>().definition == right.as<Function>().definition, span);
  }
  if (!left.is_value() || !right.is_value()) {
    const Type *l = named_type(left), *r = named_type(right);
    return in.const_bool(l && l == r, span);
  }
  if (left.type() != right.type()) return in.const_bool(false, span);
  if (left.type()->is_scalar())
    return values(in, CompareOp::kEq, left.value(), right.value(), span);
  const auto* l =
      left.value()->kind == ir::ExprKind::kLoad ? ir::as<ir::Load>(left.value()) : nullptr;
  const auto* r =
      right.value()->kind == ir::ExprKind::kLoad ? ir::as<ir::Load>(right.value()) : nullptr;
  if (l && r && l->local == r->local) return in.const_bool(true, span);
  in.not_supported(span, "`is` between " + types::print(left.type()) + " values");
  return in.error(span);
}

// x in range(lo, hi, step)
ir::Expr* in_range(Infer& in, const Operand& item, const Range& range, Span span) {
  ir::Expr* x = in.once(in.value_of(item, span));
  ir::Expr *lo = range.lo.expr, *hi = range.hi.expr, *step = range.step.expr;
  const bool unit =
      step->kind == ir::ExprKind::kConst && ir::as<ir::Const>(step)->value.integer == 1;
  if (!unit) {
    in.not_supported(span, "`in` with a range of another step than 1");
    return in.error(span);
  }
  ir::Expr* inside = in.logical(true, values(in, CompareOp::kGe, x, lo, span),
                                values(in, CompareOp::kLt, x, hi, span), span);
  if (!x->type->is_float()) return inside;
  const builtins::Row* floor = builtins::find("numpy.floor");
  if (!floor) return inside;
  Arguments args;
  args.args = {to_operand(x)};
  args.span = span;
  args.path = "numpy.floor";
  const Operand whole = registry_call(in, args, *floor);
  return in.logical(true, inside, values(in, CompareOp::kEq, x, in.value_of(whole, span), span),
                    span);
}

ir::Expr* contains(Infer& in, const Operand& item, const Operand& whole, Span span) {
  if (item.is_error() || whole.is_error()) return in.error(span);
  if (item.is<Str>() && whole.is<Str>()) {
    return in.const_bool(whole.as<Str>().text.find(item.as<Str>().text) != std::string_view::npos,
                         span);
  }
  if (whole.is<Range>()) return in_range(in, item, whole.as<Range>(), span);
  std::vector<Operand> parts;
  if (whole.is<Pack>()) {
    parts = whole.as<Pack>().parts;
  } else {
    ir::Expr* tuple = in.value_of(whole, span);
    if (Infer::is_error(tuple)) return tuple;
    if (tuple->type->is_array()) return array_expression(in, span, "in");
    if (!tuple->type->is_tuple()) {
      in.report(span, diag::NoContainer, types::print(tuple->type));
      return in.error(span);
    }
    if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
    for (size_t i = 0; i < tuple->type->items.size(); ++i) {
      parts.push_back(to_operand(in.tuple_item(tuple, int(i), span)));
    }
  }
  Operand x = item;
  if (x.is_value()) x.set_value(in.once(x.value()));
  ir::Expr* found = in.const_bool(false, span);
  for (size_t i = parts.size(); i-- > 0;) {
    ir::Expr* equal = in.compare(AstOp::kEq, x, parts[i], span);
    found = i + 1 == parts.size() ? equal : in.logical(false, equal, found, span);
  }
  return found;
}

// == and != of what is no run-time value: strings, dtypes, None. Null when it is one.
ir::Expr* known_equality(Infer& in, const Operand& left, const Operand& right, Span span) {
  if (is_none_operand(left)) return is_none(in, right, span);
  if (is_none_operand(right)) return is_none(in, left, span);
  if (left.is<Str>() && right.is<Str>())
    return in.const_bool(left.as<Str>().text == right.as<Str>().text, span);
  if (left.is<DType>() || right.is<DType>()) {
    const Type *l = named_type(left), *r = named_type(right);
    return in.const_bool(l && l == r, span);
  }
  if (left.is<Str>() || right.is<Str>()) return in.const_bool(false, span);
  return nullptr;
}

ir::Expr* chain(Infer& in, const ast::Compare& e, size_t k, Operand left) {
  const Infer::Mark mark = in.mark();
  Operand right = in.operand(*e.comparators[k]);
  if (left.is_value()) left.set_value(in.settle(left.value(), mark));
  const bool last = k + 1 == e.ops.size();
  if (!last && right.is_value()) right.set_value(in.once(right.value()));
  ir::Expr* first = in.folded_late(in.compare(e.ops[k], left, right, e.span));
  const ast::Expr& before = k == 0 ? *e.left : *e.comparators[k - 1];
  if (const auto early = in.early_compare(e.ops[k], before, *e.comparators[k]);
      early && !Infer::is_error(first)) {
    first = in.const_bool(early->is_true, e.span);
  }
  if (last) return first;
  return choose(in, {*e.comparators[k + 1], first, [&] { return chain(in, e, k + 1, right); },
                     [&] { return in.const_bool(false, e.span); }, e.span});
}

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

ir::Expr* make_compare(Infer& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
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
  if (condition->kind != ir::ExprKind::kLogical) return {};
  const auto& l = *ir::as<ir::Logical>(condition);
  const auto left = decided(l.left), right = decided(l.right);
  if (left == !l.is_and || right == !l.is_and) return !l.is_and;
  return left && right ? std::optional(l.is_and) : std::nullopt;
}

ir::Expr* compare_chain(Infer& in, const ast::Compare& e) {
  return chain(in, e, 0, in.operand(*e.left));
}

ir::Expr* Infer::compare(AstOp op, const Operand& left, const Operand& right, Span span) {
  if (left.is_error() || right.is_error()) return error(span);
  switch (op) {
    case AstOp::kIs:
    case AstOp::kIsNot: {
      ir::Expr* same = is_none_operand(left)    ? is_none(*this, right, span)
                       : is_none_operand(right) ? is_none(*this, left, span)
                                                : identity(*this, left, right, span);
      return op == AstOp::kIs ? same : negate(same);
    }
    case AstOp::kIn:
      return contains(*this, left, right, span);
    case AstOp::kNotIn:
      return negate(contains(*this, left, right, span));
    default:
      break;
  }
  if (op == AstOp::kEq || op == AstOp::kNotEq) {
    if (ir::Expr* same = known_equality(*this, left, right, span)) {
      return op == AstOp::kEq ? same : negate(same);
    }
  }
  if (dialect().rules != types::Rules::kNumba && left.is_value() && right.is_value()) {
    ir::Expr* same = values(*this, ir_op(op), left.value(), right.value(), span);
    const std::optional<bool> known = is_error(same) ? std::nullopt : decided(same);
    return known ? const_bool(*known, span) : same;
  }
  return values(*this, ir_op(op), value_of(left, span), value_of(right, span), span);
}

}  // namespace pyk2cu::infer
