// Operators of Numba's dialect on scalars: docs/typing.md#integers to docs/typing.md#comparisons.
//
// In:   operand types.  Out: what both are converted to and what comes out.
// Rule: integers compute in 64 bits, signed if either is; a float's width follows the float unless
//       an integer beside it has more digits than float32 holds (int32 up, and uint16: Numba's
//       conversion graph knows no uint16 -> float32).
// Tested by tests/unit/typeinfer/promote_test.cpp against tests/unit/typeinfer/numba_promotion.txt.
#include "typeinfer/types/promote.h"

namespace pyk2cu::types {

namespace {

bool is_integral(const Type* t) { return t->is_int() || t->is_bool(); }

// Numba widens bool through int8, so that it counts as signed.
bool is_unsigned(const Type* t) { return t->is_int() && !t->is_signed; }

// Beside float32 or complex64 such an integer asks for double precision.
bool wants_double(const Type* t) {
  if (t->is_int()) return t->bits >= 32 || (is_unsigned(t) && t->bits >= 16);
  return (t->is_float() && t->bits == 64) || (t->is_complex() && t->bits == 128);
}

// float32 or float64, complex64 or complex128: the type that float arithmetic runs in.
const Type* float_common(const Type* a, const Type* b) {
  const bool twice = wants_double(a) || wants_double(b);
  if (a->is_complex() || b->is_complex()) return complex(twice ? 128 : 64);
  return floating(twice ? 64 : 32);
}

const Type* int_common(const Type* a, const Type* b) {
  return integer(64, !(is_unsigned(a) && is_unsigned(b)));
}

OpTypes same(const Type* t) { return {t, t, t}; }

// CUDA has float16 arithmetic; beside bool and int8 it stays float16. Computing in float32 and
// rounding once gives the same values.
bool is_half(const Type* a, const Type* b, Dialect dialect) {
  const auto fits = [](const Type* t) {
    return t->is_bool() || (t->bits <= 8 && t->is_signed) || (t->is_float() && t->bits == 16);
  };
  return dialect.target == Target::kCuda && (a->is_float() || b->is_float()) && fits(a) && fits(b);
}

// f ** n keeps the float's type and an integer exponent: int32, int64 or uint64.
// bool ** int32 meets the float32 ** int32 case of Numba's table first.
OpTypes power(const Type* left, const Type* right) {
  const bool small = right->is_bool() || (right->is_signed && right->bits <= 32);
  const Type* exponent = integer(is_integral(right) && small ? 32 : 64, !is_unsigned(right));
  if (left->is_bool() && right == int32()) return {float32(), int32(), float32()};
  if (left->is_float() && is_integral(right)) {
    const Type* base = floating(left->bits < 64 ? 32 : 64);
    return {base, exponent, base};
  }
  if (!is_integral(left) || !is_integral(right)) return same(float_common(left, right));
  const Type* result = int_common(left, right);
  return {result, integer(64, !is_unsigned(right)), result};
}

// Only the left operand decides: int8 << uint64 is int64. A bool counts as an unsigned distance.
OpTypes shift(const Type* left, const Type* right) {
  const Type* result = integer(64, !is_unsigned(left));
  return {result, integer(64, !is_unsigned(right) && !right->is_bool()), result};
}

OpTypes numba_binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect) {
  const bool integral = is_integral(left) && is_integral(right);
  const bool complex_operand = left->is_complex() || right->is_complex();
  switch (op) {
    case BinaryOp::kMatMul:
      return {};
    case BinaryOp::kPow:
      return power(left, right);
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return integral ? shift(left, right) : OpTypes{};
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      if (left->is_bool() && right->is_bool()) return same(boolean());
      return integral ? same(int_common(left, right)) : OpTypes{};
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      if (complex_operand) return {};
      return same(integral ? int_common(left, right) : float_common(left, right));
    case BinaryOp::kDiv:
      if (integral) return same(float64());
      break;
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
      if (integral) return same(int_common(left, right));
      break;
  }
  if (is_half(left, right, dialect)) return {float32(), float32(), floating(16)};
  return same(float_common(left, right));
}

}  // namespace

OpTypes binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect) {
  if (left->is_error() || right->is_error()) return same(error());
  if (!left->is_scalar() || !right->is_scalar()) return {};
  if (dialect.rules == Rules::kNumpy) return element_binary(op, left, right, dialect);
  return numba_binary(op, left, right, dialect);
}

UnaryTypes unary(UnaryOp op, const Type* operand, Dialect dialect) {
  if (operand->is_error()) return {operand, operand};
  const bool half = operand->is_float() && operand->bits == 16;
  if (op == UnaryOp::kNot) return {half ? float32() : operand, boolean()};
  if (!operand->is_scalar()) return {};
  if (dialect.rules == Rules::kNumpy) return element_unary(op, operand, dialect);
  if (operand->is_bool())
    return op == UnaryOp::kInvert ? UnaryTypes{operand, operand} : UnaryTypes{int64(), int64()};
  // -uint8(1) is 255 as uint64: negated in its own width, then widened (docs/typing.md#signs).
  if (operand->is_int()) return {operand, integer(64, operand->is_signed)};
  if (op == UnaryOp::kInvert) return {};
  if (half) {
    const bool keeps = dialect.target == Target::kCuda && op == UnaryOp::kNeg;
    return {float32(), keeps ? operand : float32()};
  }
  return {operand, operand};
}

OpTypes compare(CompareOp op, const Type* left, const Type* right, Dialect dialect) {
  if (left->is_error() || right->is_error()) return same(error());
  if (!left->is_scalar() || !right->is_scalar()) return {};
  if (dialect.rules == Rules::kNumpy) return element_compare(op, left, right, dialect);
  const bool ordered = op != CompareOp::kEq && op != CompareOp::kNe;
  if (ordered && (left->is_complex() || right->is_complex())) return {};
  const bool integral = is_integral(left) && is_integral(right);
  const Type* common = integral ? numpy_promote(left, right) : float_common(left, right);
  return {common, common, boolean()};
}

}  // namespace pyk2cu::types
