// Operators: + - * / // % ** << >> & | ^ and the unary ones, divmod, optionals unwrapped.
//
// In:   values already evaluated, in order.  Out: Unary and Binary over explicit conversions.
// Rules: types::binary and types::unary say what an operation computes in. What can raise under the
// Python error model is checked by statements emitted first, with the messages of Numba's CPU
// target (docs/values.md#division-by-zero); a divisor that is a constant other than zero needs no
// check. Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/decorators/defaults.h"
#include "typeinfer/infer/elementwise.h"
#include "typeinfer/infer/lists.h"
#include "typeinfer/infer/tables.h"

namespace pyk2cu::infer {

using types::BinaryOp;

namespace {

constexpr int64_t kMaxUnrolled = 16;

BinaryOp ir_op(ast::Operator op) {
  switch (op) {
    case ast::Operator::kAdd:
      return BinaryOp::kAdd;
    case ast::Operator::kSub:
      return BinaryOp::kSub;
    case ast::Operator::kMult:
      return BinaryOp::kMul;
    case ast::Operator::kMatMult:
      return BinaryOp::kMatMul;
    case ast::Operator::kDiv:
      return BinaryOp::kDiv;
    case ast::Operator::kMod:
      return BinaryOp::kMod;
    case ast::Operator::kPow:
      return BinaryOp::kPow;
    case ast::Operator::kLShift:
      return BinaryOp::kShl;
    case ast::Operator::kRShift:
      return BinaryOp::kShr;
    case ast::Operator::kBitOr:
      return BinaryOp::kOr;
    case ast::Operator::kBitXor:
      return BinaryOp::kXor;
    case ast::Operator::kBitAnd:
      return BinaryOp::kAnd;
    case ast::Operator::kFloorDiv:
      return BinaryOp::kFloorDiv;
  }
  return BinaryOp::kAdd;
}

const ir::Const* as_const(const ir::Expr* e) {
  return e->kind == ir::ExprKind::kConst ? ir::as<ir::Const>(e) : nullptr;
}

bool is_literal_type(const Type* t) {
  return t == types::int64() || t == types::float64() || t == types::complex128() || t->is_bool();
}

bool is_zero(const ir::Const& c) {
  return c.type->is_float() || c.type->is_complex() ? c.value.number == 0.0 : c.value.integer == 0;
}

std::string_view zero_message(BinaryOp op, const Type* type) {
  if (type->is_complex()) return "complex division by zero";
  switch (op) {
    case BinaryOp::kFloorDiv:
      return type->is_float() ? "division by zero" : "integer division by zero";
    case BinaryOp::kMod:
      return type->is_float() ? "modulo by zero" : "integer modulo by zero";
    default:
      return "division by zero";
  }
}

// raise ZeroDivisionError when `divisor` is zero; the divisor in a form that may be repeated.
ir::Expr* check_divisor(Emitter& in, ir::Expr* divisor, std::string_view message, Span span) {
  if (!python_errors(in)) return divisor;
  if (const ir::Const* c = as_const(divisor); c && !is_zero(*c)) return divisor;
  divisor = in.once(divisor, "divisor");
  ir::Expr* is_zero =
      make_compare(in, types::CompareOp::kEq, divisor, zero(in, divisor->type, span), span);
  in.raise_if(is_zero, "ZeroDivisionError", message, span);
  return divisor;
}

// int64 and float64 constants under + - *: `N * 2` stays a constant, for shapes and tuple indices.
ir::Expr* fold_ints(Emitter& in, BinaryOp op, const ir::Expr* left, const ir::Expr* right,
                    Span span) {
  const ir::Const *l = as_const(left), *r = as_const(right);
  if (!l || !r || left->type != types::int64() || right->type != types::int64()) return nullptr;
  const uint64_t a = uint64_t(l->value.integer), b = uint64_t(r->value.integer);
  switch (op) {
    case BinaryOp::kAdd:
      return in.const_int(int64_t(a + b), types::int64(), span);
    case BinaryOp::kSub:
      return in.const_int(int64_t(a - b), types::int64(), span);
    case BinaryOp::kMul:
      return in.const_int(int64_t(a * b), types::int64(), span);
    default:
      return nullptr;
  }
}

// x ** e by repeated squaring, in the order in which Numba multiplies.
ir::Expr* product(Emitter& in, ir::Expr* x, int64_t e, Span span) {
  const Type* type = x->type;
  ir::Expr* result = nullptr;
  for (ir::Expr* square = x;; e >>= 1) {
    const bool takes = (e & 1) != 0, more = e > 1;
    if (takes + 2 * more > 1) square = in.once(square, square == x ? "x" : "square");
    if (takes) {
      result = result ? make_binary(in, BinaryOp::kMul, result, square, type, span) : square;
    }
    if (!more) return result;
    square = make_binary(in, BinaryOp::kMul, square, square, type, span);
  }
}

ir::Expr* make_pow(Emitter& in, ir::Expr* x, ir::Expr* n, const Type* result, Span span) {
  return cast(in, make_binary(in, BinaryOp::kPow, x, n, result, span), result);
}

void zero_power_check(Emitter& in, ir::Expr* x, std::string_view message, Span span) {
  if (!python_errors(in)) return;
  in.raise_if(make_compare(in, types::CompareOp::kEq, x, zero(in, x->type, span), span),
              "ZeroDivisionError", message, span);
}

constexpr std::string_view kZeroToNegative = "0 cannot be raised to a negative power";

// x ** n with a constant integer n, in type `result`; null when it is not worth unrolling.
ir::Expr* constant_power(Emitter& in, ir::Expr* x, int64_t n, const Type* result, Span span) {
  if (!result->is_int() && !result->is_float()) return nullptr;
  if (n > kMaxUnrolled || n < -kMaxUnrolled) return nullptr;
  x = cast(in, x, result);
  if (n == 0) return cast(in, in.const_int(1, types::int64(), span), result);
  if (n > 0) return product(in, x, n, span);
  if (result->is_int()) {
    x = in.once(x);
    zero_power_check(in, x, kZeroToNegative, span);
    return make_pow(in, x, in.const_int(n, types::int64(), span), result, span);
  }
  ir::Expr* whole = in.once(product(in, x, -n, span));
  zero_power_check(in, whole, "division by zero", span);
  ir::Expr* one = cast(in, in.const_float(1, types::float64(), span), result);
  return make_binary(in, BinaryOp::kDiv, one, whole, result, span);
}

// What Numba raises for an integer exponent below zero.
void negative_power_checks(Emitter& in, ir::Expr*& x, ir::Expr*& n, Span span) {
  if (!python_errors(in) || !n->type->is_int() || !n->type->is_signed) return;
  if (!x->type->is_int() && !x->type->is_float()) return;
  if (const ir::Const* c = as_const(n); c && c->value.integer >= 0) return;
  x = in.once(x, "base");
  n = in.once(n, "exponent");
  ir::Block* body = in.into_block([&] {
    if (x->type->is_int() && n->type->bits == 64) {
      ir::Expr* least = in.const_int(INT64_MIN, n->type, span);
      in.raise_if(make_compare(in, types::CompareOp::kEq, n, least, span), "OverflowError", "",
                  span);
    }
    zero_power_check(in, x, x->type->is_int() ? kZeroToNegative : "division by zero", span);
  });
  ir::Expr* negative = make_compare(in, types::CompareOp::kLt, n, zero(in, n->type, span), span);
  in.emit(in.make(ir::If{{ir::StmtKind::kIf, span}, negative, body, in.make(ir::Block{})}));
}

// The default of the parameter that an exponent is, a number of its type; null: it is none.
ir::Expr* default_exponent(Emitter& in, const ir::Expr* exponent, Span span) {
  const auto* load = ir::try_as<ir::Load>(exponent);
  const ir::Local* local = load ? load->local : nullptr;
  const auto is_it = [&](const ir::Param& p) { return p.local == local; };
  if (!local || std::ranges::none_of(in.context().function().params, is_it)) return nullptr;
  const decorators::Definition& definition = in.context().definition();
  const std::vector<Symbol> names = decorators::parameter_names(definition);
  const auto k = size_t(std::ranges::find(names, local->name) - names.begin());
  const ast::Expr* fallback = k < names.size() ? decorators::default_of(definition, k) : nullptr;
  const auto value = fallback ? decorators::default_value(definition, *fallback) : std::nullopt;
  using Kind = fold::Value::Kind;
  if (!value || (value->kind != Kind::kInt && value->kind != Kind::kFloat)) return nullptr;
  const Type* type = exponent->type;
  if (type->is_int() && value->kind == Kind::kInt) {
    const __int128 above = __int128{1} << (type->bits - (type->is_signed ? 1 : 0));
    const bool fits = value->integer >= (type->is_signed ? -above : 0) && value->integer < above &&
                      value->integer <= INT64_MAX;
    return fits ? in.const_int(int64_t(value->integer), type, span) : nullptr;
  }
  if (!type->is_float()) return nullptr;
  const double number = value->kind == Kind::kInt ? double(value->integer) : value->number.real();
  return number == 2 ? in.const_float(number, type, span) : nullptr;  // others gain nothing
}

// x ** 2.0 is x * x: of these the product is the nearest number too.
bool is_square(const ir::Const* exponent, const Type* result) {
  return exponent->type->is_float() && result->is_float() && exponent->value.number == 2.0;
}

ir::Expr* power_by(Emitter& in, ir::Expr* left, ir::Expr* right, const types::OpTypes& t,
                   Span span) {
  const ir::Const* c = as_const(right);
  if (c && is_square(c, t.result)) return constant_power(in, left, 2, t.result, span);
  if (c && right->type->is_int() && c->value.integer >= 0) {
    if (ir::Expr* e = constant_power(in, left, c->value.integer, t.result, span)) return e;
  } else if (c && right->type == types::int64()) {
    if (ir::Expr* e = constant_power(in, left, c->value.integer, t.result, span)) return e;
  }
  left = cast(in, left, t.left);
  right = cast(in, right, t.right);
  negative_power_checks(in, left, right, span);
  const bool is_function =
      t.result->is_float() && left->type == t.result && right->type == t.result;
  if (is_function)  // C's
    return in.make(ir::Builtin{{ir::ExprKind::kBuiltin, t.result, span},
                               &builtins::row(builtins::Id::math_pow),
                               in.list(std::vector<ir::Expr*>{left, right})});
  return make_pow(in, left, right, t.result, span);
}

// Of a parameter p=2, x ** p is x * x where p is 2. Nearly all calls leave it so, and what is the
// same for a whole loop is asked once in front of it.
ir::Expr* power(Emitter& in, ir::Expr* left, ir::Expr* right, const types::OpTypes& t, Span span) {
  ir::Expr* usual = in.on_cuda() ? nullptr : default_exponent(in, right, span);
  if (!usual) return power_by(in, left, right, t, span);
  left = in.once(left, "base");
  ir::Local* result = in.temp("power", t.result, span);
  const auto assigned = [&](ir::Expr* exponent) {
    return in.into_block([&] {
      in.emit_assign(result, cast(in, power_by(in, left, exponent, t, span), t.result), span);
    });
  };
  ir::Expr* is_usual = make_compare(in, types::CompareOp::kEq, right, usual, span);
  ir::Block *body = assigned(usual), *orelse = assigned(right);
  in.emit(in.make(ir::If{{ir::StmtKind::kIf, span}, is_usual, body, orelse}));
  return in.load(result, span);
}

ir::Expr* concatenate(Emitter& in, ir::Expr* left, ir::Expr* right, Span span) {
  std::vector<ir::Expr*> items;
  for (ir::Expr* side : {left, right}) {
    if (side->kind != ir::ExprKind::kTuple) side = in.once(side);
    for (size_t i = 0; i < side->type->items.size(); ++i) {
      items.push_back(tuple_item(in, side, int(i), span));
    }
  }
  return in.make_tuple(std::move(items), span);
}

// (a, b) * 3
ir::Expr* repeat(Emitter& in, ir::Expr* tuple, int64_t count, Span span) {
  if (tuple->kind != ir::ExprKind::kTuple) tuple = in.once(tuple);
  std::vector<ir::Expr*> items;
  const auto times = static_cast<size_t>(std::max<int64_t>(count, 0));
  if (!in.fits(times, span) || !in.fits(times * tuple->type->leaves, span)) return in.error(span);
  for (size_t k = 0; k < times; ++k) {
    for (size_t i = 0; i < tuple->type->items.size(); ++i) {
      items.push_back(tuple_item(in, tuple, int(i), span));
    }
  }
  return in.make_tuple(std::move(items), span);
}

// Operators of tuples; null: not one.
ir::Expr* tuple_op(Emitter& in, BinaryOp op, ir::Expr* left, ir::Expr* right, Span span) {
  if (op == BinaryOp::kAdd && left->type->is_tuple() && right->type->is_tuple()) {
    return concatenate(in, left, right, span);
  }
  if (op != BinaryOp::kMul) return nullptr;
  if (!left->type->is_tuple()) std::swap(left, right);
  const ir::Const* count = as_const(right);
  if (!left->type->is_tuple() || !count || !right->type->is_int()) return nullptr;
  return repeat(in, left, count->value.integer, span);
}

}  // namespace

void settle_literals(Emitter& in, ir::Expr*& left, ir::Expr*& right) {
  if (in.dialect().rules != types::Rules::kNumpy) return;
  const bool l = as_const(left) && is_literal_type(left->type);
  const bool r = as_const(right) && is_literal_type(right->type);
  if (l == r) return;
  ir::Expr*& literal = l ? left : right;
  const Type* other = (l ? right : left)->type;
  if (!other->is_scalar()) return;
  if (const Type* type = types::settle_weak(literal->type, other))
    literal = cast(in, literal, type);
}

bool python_errors(const Emitter& in) {
  return in.options().error_model == ir::ErrorModel::kPython && !in.on_cuda();
}

std::string_view spelling(ast::Operator op) {
  switch (op) {
    case ast::Operator::kAdd:
      return "+";
    case ast::Operator::kSub:
      return "-";
    case ast::Operator::kMult:
      return "*";
    case ast::Operator::kMatMult:
      return "@";
    case ast::Operator::kDiv:
      return "/";
    case ast::Operator::kMod:
      return "%";
    case ast::Operator::kPow:
      return "**";
    case ast::Operator::kLShift:
      return "<<";
    case ast::Operator::kRShift:
      return ">>";
    case ast::Operator::kBitOr:
      return "|";
    case ast::Operator::kBitXor:
      return "^";
    case ast::Operator::kBitAnd:
      return "&";
    case ast::Operator::kFloorDiv:
      return "//";
  }
  return "?";
}

ir::Expr* make_binary(Emitter& in, BinaryOp op, ir::Expr* left, ir::Expr* right, const Type* result,
                      Span span) {
  return in.make(ir::Binary{{ir::ExprKind::kBinary, result, span}, op, left, right});
}

ir::Expr* unary(Emitter& in, ast::UnaryOperator op, ir::Expr* operand, Span span) {
  using types::UnaryOp;
  if (is_error(operand)) return in.error(span);
  operand = unwrap(in, operand, span);
  const std::string_view text = op == ast::UnaryOperator::kUSub   ? "-"
                                : op == ast::UnaryOperator::kUAdd ? "+"
                                                                  : "~";
  if (operand->type->is_array()) return array_unary(in, op, operand, span);
  const UnaryOp ir_op = op == ast::UnaryOperator::kUSub   ? UnaryOp::kNeg
                        : op == ast::UnaryOperator::kUAdd ? UnaryOp::kPos
                                                          : UnaryOp::kInvert;
  const types::UnaryTypes t = operand->type->is_scalar()
                                  ? types::unary(ir_op, operand->type, in.dialect())
                                  : types::UnaryTypes{};
  if (!t) {
    in.report(span, diag::BadOperand, text, types::print(operand->type));
    return in.error(span);
  }
  if (const ir::Const* c = as_const(operand); c && ir_op == UnaryOp::kNeg) {
    if (c->type == types::int64() && t.result == c->type) {
      return in.const_int(int64_t(-uint64_t(c->value.integer)), t.result, span);
    }
    if (c->type->is_float()) return in.const_float(-c->value.number.real(), t.result, span);
  }
  ir::Expr* converted = cast(in, operand, t.operand);
  if (ir_op == UnaryOp::kPos) return cast(in, converted, t.result);
  if (ir_op == UnaryOp::kInvert && t.operand->is_bool()) {
    return cast(in, negate(in, converted), t.result);
  }
  ir::Expr* e = in.make(ir::Unary{{ir::ExprKind::kUnary, t.operand, span}, ir_op, converted});
  return cast(in, e, t.result);
}

ir::Expr* divmod(Emitter& in, ir::Expr* left, ir::Expr* right, Span span) {
  left = unwrap(in, left, span);
  right = unwrap(in, right, span);
  settle_literals(in, left, right);
  const Type* l = left->type;
  const Type* r = right->type;
  types::OpTypes t;
  if (l->is_real() && r->is_real()) t = types::binary(BinaryOp::kFloorDiv, l, r, in.dialect());
  // uint64 beside a signed integer computes in float64 (docs/typing.md#divmod).
  const auto is_u64 = [](const Type* type) { return type == types::uint64(); };
  const auto is_signed = [](const Type* type) { return type->is_int() && type->is_signed; };
  if (t && in.context().by_numba() &&
      ((is_u64(l) && is_signed(r)) || (is_signed(l) && is_u64(r)))) {
    t = {types::float64(), types::float64(), types::float64()};
  }
  if (!t) {
    in.report(span, diag::BadOperands, "divmod()", types::print(l), types::print(r));
    return in.error(span);
  }
  left = in.once(cast(in, left, t.left));
  right = check_divisor(in, cast(in, right, t.right),
                        t.result->is_float() ? "modulo by zero" : "integer divmod by zero", span);
  right = in.once(right);
  ir::Expr* quotient = make_binary(in, BinaryOp::kFloorDiv, left, right, t.result, span);
  ir::Expr* remainder = make_binary(in, BinaryOp::kMod, left, right, t.result, span);
  return in.make_tuple({quotient, remainder}, span);
}

Operand binary_operands(Emitter& in, ast::Operator op, const Operand& left, const Operand& right,
                        Span span) {
  if (left.is_error() || right.is_error()) return error();
  if (left.is<Str>() && right.is<Str>() && op == ast::Operator::kAdd) {
    constexpr int kMost = 1 << 20;
    if (left.as<Str>().text.size() + right.as<Str>().text.size() > kMost) {
      in.report(span, diag::TooLarge, "text", kMost, "bytes");
      return error();
    }
    const std::string both = std::string(left.as<Str>().text) + std::string(right.as<Str>().text);
    return {Str{in.context().program().keep(both)}, span};
  }
  if (left.is<Pack>() && right.is<Pack>() && op == ast::Operator::kAdd) {
    Pack both = left.as<Pack>();
    both.parts.insert(both.parts.end(), right.parts().begin(), right.parts().end());
    Operand made{std::move(both), left.span};
    return in.fits(count_leaves(made), span) ? std::move(made) : error();
  }
  ir::Expr* l = value_of(in, left, span);
  ir::Expr* r = value_of(in, right, span);
  return to_operand(binary(in, op, l, r, span));
}

ir::Expr* binary(Emitter& in, ast::Operator op, ir::Expr* left, ir::Expr* right, Span span) {
  if (is_error(left) || is_error(right)) return in.error(span);
  left = unwrap(in, left, span);
  right = unwrap(in, right, span);
  const BinaryOp what = ir_op(op);
  if (left->type->is_set() && right->type->is_set())
    if (ir::Expr* made = set_binary(in, op, left, right, span)) return made;
  if (left->type->is_list() || right->type->is_list())
    if (ir::Expr* made = list_binary(in, op, left, right, span)) return made;
  if (left->type->is_array() || right->type->is_array()) {
    return array_binary(in, op, left, right, span);
  }
  if (left->type->is_tuple() || right->type->is_tuple()) {
    if (ir::Expr* e = tuple_op(in, what, left, right, span)) return e;
  }
  types::OpTypes t;
  if (left->type->is_scalar() && right->type->is_scalar()) {
    settle_literals(in, left, right);
    t = types::binary(what, left->type, right->type, in.dialect());
  }
  if (!t) {
    in.report(span, diag::BadOperands, spelling(op), types::print(left->type),
              types::print(right->type));
    return in.error(span);
  }
  if (what == BinaryOp::kPow) return power(in, left, right, t, span);
  if (what == BinaryOp::kDiv || what == BinaryOp::kFloorDiv || what == BinaryOp::kMod) {
    right = check_divisor(in, right, zero_message(what, t.result), span);
  }
  if (ir::Expr* e = fold_ints(in, what, left, right, span)) return e;
  return make_binary(in, what, cast(in, left, t.left), cast(in, right, t.right), t.result, span);
}

ir::Expr* product_power(Emitter& in, ir::Expr* x, int64_t n, Span span) {
  if (n > kMaxUnrolled || n < -kMaxUnrolled) return nullptr;
  if (n > 0) return product(in, x, n, span);
  if (!x->type->is_float()) return nullptr;
  ir::Expr* one = cast(in, in.const_float(1, types::float64(), span), x->type);
  if (n == 0) return one;
  return make_binary(in, BinaryOp::kDiv, one, product(in, x, -n, span), x->type, span);
}

}  // namespace pyk2cu::infer
