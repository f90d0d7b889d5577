// Comparisons: chains, == < of scalars and tuples, `is`, `in`.
//
// In:   operands, evaluated once each and from left to right.  Out: bools; Const when the types
// decide (`x is None` for an x that is never None).
// Rules: docs/typing.md#comparisons, docs/typing.md#chains, docs/typing.md#identity.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include <optional>

#include "typeinfer/infer/elementwise.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

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

ir::Expr* values(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span);

ir::Expr* refuse(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  in.report(span, diag::BadOperands, spelling(op), types::print(left->type),
            types::print(right->type));
  return in.error(span);
}

// (a, b) == (c, d): all items; (a, b) < (c, d): the first items that differ decide, then the
// length.
ir::Expr* tuples(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  const size_t n = left->type->items.size(), m = right->type->items.size();
  if (is_equality(op) && n != m) return in.const_bool(op == CompareOp::kNe, span);
  if (left->kind != ir::ExprKind::kTuple) left = in.once(left);
  if (right->kind != ir::ExprKind::kTuple) right = in.once(right);
  ir::Expr* result = in.const_bool(holds(op, n < m ? -1 : n > m ? 1 : 0), span);
  for (size_t i = std::min(n, m); i-- > 0;) {
    ir::Expr* l = tuple_item(in, left, int(i), span);
    ir::Expr* r = tuple_item(in, right, int(i), span);
    const bool last = i + 1 == std::min(n, m);
    if (op == CompareOp::kNe) {
      ir::Expr* differs = values(in, op, l, r, span);
      result = last ? differs : logical(in, false, differs, result, span);
      continue;
    }
    ir::Expr* equal = values(in, CompareOp::kEq, l, r, span);
    if (op == CompareOp::kEq) {
      result = last ? equal : logical(in, true, equal, result, span);
      continue;
    }
    ir::Expr* decided = values(in, op, l, r, span);
    if (is_error(equal) || is_error(decided)) return in.error(span);
    if (last && n == m) {
      result = decided;
      continue;
    }
    result = in.make(
        ir::Select{{ir::ExprKind::kSelect, types::boolean(), span}, equal, result, decided});
  }
  return result;
}

// An integer with a sign and one without, of 64 bits both: what is below zero decides, the others
// are compared without signs.
ir::Expr* of_two_signs(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  const bool left_has_sign = left->type->is_signed;
  left = in.once(left);
  right = in.once(right);
  ir::Expr*& with_sign = left_has_sign ? left : right;
  ir::Expr* zero = in.const_int(0, with_sign->type, span);
  const bool if_negative = holds(op, left_has_sign ? -1 : 1);
  ir::Expr* sign =
      make_compare(in, if_negative ? CompareOp::kLt : CompareOp::kGe, with_sign, zero, span);
  with_sign = cast(in, with_sign, types::uint64());
  return logical(in, !if_negative, sign, make_compare(in, op, left, right, span), span);
}

// Below 2**53 a constant compares with uint64 as it does with the float64 nearest to that: exactly.
bool is_small_constant(const ir::Expr* e) {
  const auto* c = ir::try_as<ir::Const>(e);
  return c && e->type->is_int() && c->value.integer >= 0 && c->value.integer < (int64_t{1} << 53);
}

// == and < of two values.
ir::Expr* values(Emitter& in, CompareOp op, ir::Expr* left, ir::Expr* right, Span span) {
  if (is_error(left) || is_error(right)) return in.error(span);
  left = unwrap(in, left, span);
  right = unwrap(in, right, span);
  if (left->type->is_tuple() && right->type->is_tuple()) {
    return tuples(in, op, left, right, span);
  }
  if (left->type->is_array() || right->type->is_array()) {
    return array_compare(in, op, spelling(op), left, right, span);
  }
  if (left->type->is_list() && right->type->is_list() && is_equality(op)) {
    ir::Expr* same = list_equal(in, left, right, span);
    return op == CompareOp::kEq ? same : negate(in, same);
  }
  if (left->type->is_table() && left->type->kind == right->type->kind && is_equality(op)) {
    ir::Expr* same = table_equal(in, left, right, span);
    return op == CompareOp::kEq ? same : negate(in, same);
  }
  if (left->type->is_set() && right->type->is_set()) {
    const bool turned = op == CompareOp::kGt || op == CompareOp::kGe;
    if (turned) std::swap(left, right);
    return set_within(in, left, right, op == CompareOp::kLt || op == CompareOp::kGt, span);
  }
  if (!left->type->is_scalar() || !right->type->is_scalar()) {
    return refuse(in, op, left, right, span);
  }
  // Integers are compared by value; a literal need not fit the other's type.
  if (!left->type->is_int() || !right->type->is_int()) settle_literals(in, left, right);
  const types::OpTypes t = types::compare(op, left->type, right->type, in.dialect());
  if (!t) return refuse(in, op, left, right, span);
  const bool exact = (left->type == types::uint64() && is_small_constant(right)) ||
                     (right->type == types::uint64() && is_small_constant(left));
  left = cast(in, left, exact ? types::uint64() : t.left);
  right = cast(in, right, exact ? types::uint64() : t.right);
  if (!exact && t.left != t.right) return of_two_signs(in, op, left, right, span);
  return in.make(ir::Compare{{ir::ExprKind::kCompare, types::boolean(), span}, op, left, right});
}

ir::Expr* is_none(Emitter& in, const Operand& o, Span span) {
  if (o.is<None>() || (o.is_value() && o.type()->is_none())) {
    return in.const_bool(true, span);
  }
  if (!o.is_value() || !o.type()->is_optional()) return in.const_bool(false, span);
  return negate(in, in.make(ir::HasValue{{ir::ExprKind::kHasValue, types::boolean(), span},
                                         in.once(o.value())}));
}

bool is_none_operand(const Operand& o) {
  return o.is<None>() || (o.is_value() && o.type()->is_none());
}

// `a is b` for what is not None.
ir::Expr* identity(Emitter& in, const Operand& left, const Operand& right, Span span) {
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
ir::Expr* in_range(Emitter& in, const Operand& item, const Range& range, Span span) {
  ir::Expr* x = in.once(value_of(in, item, span));
  ir::Expr *lo = range.lo.expr, *hi = range.hi.expr, *step = range.step.expr;
  const bool unit =
      step->kind == ir::ExprKind::kConst && ir::as<ir::Const>(step)->value.integer == 1;
  if (!unit) {
    in.not_supported(span, "`in` with a range of another step than 1");
    return in.error(span);
  }
  ir::Expr* inside = logical(in, true, values(in, CompareOp::kGe, x, lo, span),
                             values(in, CompareOp::kLt, x, hi, span), span);
  if (!x->type->is_float()) return inside;
  const builtins::Row* floor = builtins::find("numpy.floor");
  if (!floor) return inside;
  Arguments args;
  args.args = {to_operand(x)};
  args.span = span;
  args.path = "numpy.floor";
  const Operand whole = registry_call(in, args, *floor);
  return logical(in, true, inside, values(in, CompareOp::kEq, x, value_of(in, whole, span), span),
                 span);
}

ir::Expr* contains(Emitter& in, const Operand& item, const Operand& whole, Span span) {
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
    ir::Expr* tuple = value_of(in, whole, span);
    if (is_error(tuple)) return tuple;
    ir::Expr* sought = item.is_value() ? unwrap(in, item.value(), span) : nullptr;
    if (tuple->type->is_array() && sought && sought->type->is_scalar() && !in.on_cuda())
      return contains(in, tuple, sought, span);
    if (tuple->type->is_array()) return array_expression(in, span, "in");
    if (tuple->type->is_table()) return table_contains(in, tuple, value_of(in, item, span), span);
    if (tuple->type->is_list()) return list_contains(in, tuple, value_of(in, item, span), span);
    if (!tuple->type->is_tuple()) {
      in.report(span, diag::NoContainer, types::print(tuple->type));
      return in.error(span);
    }
    if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
    for (size_t i = 0; i < tuple->type->items.size(); ++i) {
      parts.push_back(to_operand(tuple_item(in, tuple, int(i), span)));
    }
  }
  Operand x = item;
  if (x.is_value()) x.set_value(in.once(x.value()));
  ir::Expr* found = in.const_bool(false, span);
  for (size_t i = parts.size(); i-- > 0;) {
    ir::Expr* equal = compare(in, AstOp::kEq, x, parts[i], span);
    found = i + 1 == parts.size() ? equal : logical(in, false, equal, found, span);
  }
  return found;
}

// == and != of what is no run-time value: strings, dtypes, None. Null when it is one.
ir::Expr* known_equality(Emitter& in, const Operand& left, const Operand& right, Span span) {
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

ir::Expr* chain(Expressions& in, const ast::Compare& e, size_t k, Operand left) {
  Emitter& out = in.emitter();
  const Emitter::Mark mark = out.mark();
  Operand right = in.operand(*e.comparators[k]);
  if (left.is_value()) left.set_value(out.settle(left.value(), mark));
  const bool last = k + 1 == e.ops.size();
  if (!last && right.is_value()) right.set_value(out.once(right.value()));
  ir::Expr* first = folded_late(out, compare(out, e.ops[k], left, right, e.span));
  const ast::Expr& before = k == 0 ? *e.left : *e.comparators[k - 1];
  if (const auto early = in.early().compare(e.ops[k], before, *e.comparators[k]);
      early && !is_error(first)) {
    first = out.const_bool(early->is_true, e.span);
  }
  if (e.ops.size() > 1) first = truth(out, first, e.span);
  if (last) return first;
  return choose(in, {*e.comparators[k + 1], first, [&] { return chain(in, e, k + 1, right); },
                     [&] { return out.const_bool(false, e.span); }, e.span});
}

}  // namespace

ir::Expr* compare_chain(Expressions& in, const ast::Compare& e) {
  return chain(in, e, 0, in.operand(*e.left));
}

ir::Expr* compare(Emitter& in, AstOp op, const Operand& left, const Operand& right, Span span) {
  if (left.is_error() || right.is_error()) return in.error(span);
  switch (op) {
    case AstOp::kIs:
    case AstOp::kIsNot: {
      ir::Expr* same = is_none_operand(left)    ? is_none(in, right, span)
                       : is_none_operand(right) ? is_none(in, left, span)
                                                : identity(in, left, right, span);
      return op == AstOp::kIs ? same : negate(in, same);
    }
    case AstOp::kIn:
      return contains(in, left, right, span);
    case AstOp::kNotIn:
      return negate(in, contains(in, left, right, span));
    default:
      break;
  }
  if (op == AstOp::kEq || op == AstOp::kNotEq) {
    if (ir::Expr* same = known_equality(in, left, right, span)) {
      return op == AstOp::kEq ? same : negate(in, same);
    }
  }
  if (!in.context().by_numba() && left.is_value() && right.is_value()) {
    ir::Expr* same = values(in, ir_op(op), left.value(), right.value(), span);
    const std::optional<bool> known = is_error(same) ? std::nullopt : decided(same);
    return known ? in.const_bool(*known, span) : same;
  }
  return values(in, ir_op(op), value_of(in, left, span), value_of(in, right, span), span);
}

}  // namespace pyk2cu::infer
