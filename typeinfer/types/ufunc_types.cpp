// Operators on array elements: which loop a NumPy ufunc runs, in NumPy 2 and in Numba.
//
// In:   element types.  Out: what both are converted to and what comes out.
// Rule: NumPy promotes (int32 with float32 is float64). Numba takes the first loop that both
//       operands reach by a cast of the same kind, so integers of any width beside float32 stay
//       float32, small integers divide in float32, and float16 has no loops.
// Tested by tests/unit/typeinfer/promote_test.cpp against tables asked of Numba and NumPy.
#include <algorithm>

#include "typeinfer/types/promote.h"

namespace pyk2cu::types {

namespace {

bool is_integral(const Type* t) { return t->is_int() || t->is_bool(); }

OpTypes same(const Type* t) { return {t, t, t}; }

// Digits that a float needs to hold every value: 16, 32 or 64 bits of float.
int float_bits(const Type* t) {
  if (t->is_float()) return t->bits;
  if (t->is_complex()) return t->bits / 2;
  if (t->is_bool()) return 16;
  return t->bits >= 32 ? 64 : t->bits * 2;
}

const Type* numba_common(const Type* a, const Type* b) {
  if (is_integral(a) && is_integral(b)) return numpy_promote(a, b);
  int bits = 32;
  for (const Type* t : {a, b})
    if (!is_integral(t)) bits = std::max(bits, float_bits(t));
  return a->is_complex() || b->is_complex() ? complex(2 * bits) : floating(bits);
}

const Type* common_type(const Type* a, const Type* b, Dialect dialect) {
  return dialect.rules == Rules::kNumba ? numba_common(a, b) : numpy_promote(a, b);
}

// Integers divide in float64; Numba takes float32 where both fit there.
const Type* divide_type(const Type* a, const Type* b, Dialect dialect) {
  if (!is_integral(a) || !is_integral(b)) return common_type(a, b, dialect);
  const bool small = dialect.rules == Rules::kNumba && float_bits(a) <= 32 && float_bits(b) <= 32;
  return floating(small ? 32 : 64);
}

}  // namespace

OpTypes element_binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect) {
  if (left->is_error() || right->is_error()) return same(error());
  if (!left->is_scalar() || !right->is_scalar()) return {};
  const Type* common = common_type(left, right, dialect);
  const Type* no_bool = common->is_bool() ? integer(8, true) : common;
  switch (op) {
    case BinaryOp::kMatMul:
      return {};
    case BinaryOp::kDiv:
      return same(divide_type(left, right, dialect));
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return common->is_int() || common->is_bool() ? same(no_bool) : OpTypes{};
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return common->is_int() || common->is_bool() ? same(common) : OpTypes{};
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      return common->is_complex() ? OpTypes{} : same(no_bool);
    case BinaryOp::kPow:
      return same(no_bool);
    case BinaryOp::kSub:
      if (!common->is_bool()) return same(common);
      return dialect.rules == Rules::kNumba ? same(no_bool) : OpTypes{};
    case BinaryOp::kAdd:
    case BinaryOp::kMul:
      break;
  }
  return same(common);
}

UnaryTypes element_unary(UnaryOp op, const Type* operand, Dialect dialect) {
  if (operand->is_error()) return {operand, operand};
  if (op == UnaryOp::kNot) return {operand, boolean()};
  if (!operand->is_scalar()) return {};
  if (op == UnaryOp::kInvert)
    return is_integral(operand) ? UnaryTypes{operand, operand} : UnaryTypes{};
  if (dialect.rules == Rules::kNumpy)
    return operand->is_bool() ? UnaryTypes{} : UnaryTypes{operand, operand};
  const Type* loop = operand->is_bool() ? integer(8, true) : numba_common(operand, operand);
  return {loop, loop};
}

OpTypes element_compare(CompareOp op, const Type* left, const Type* right, Dialect dialect) {
  if (left->is_error() || right->is_error()) return same(error());
  if (!left->is_scalar() || !right->is_scalar()) return {};
  const Type* common = common_type(left, right, dialect);
  const bool ordered = op != CompareOp::kEq && op != CompareOp::kNe;
  if (ordered && common->is_complex()) return {};
  // NumPy 2 compares uint64 with signed integers by value.
  if (dialect.rules == Rules::kNumpy && is_integral(left) && is_integral(right) &&
      common->is_float())
    return {integer(64, left->is_signed), integer(64, right->is_signed), boolean()};
  return {common, common, boolean()};
}

const Type* numpy_promote(const Type* a, const Type* b) {
  if (a == b) return a;
  if (a->is_bool()) return b;
  if (b->is_bool()) return a;
  if (a->is_int() && b->is_int()) {
    if (a->is_signed == b->is_signed) return a->bits > b->bits ? a : b;
    const Type* plain = a->is_signed ? a : b;
    const Type* natural = a->is_signed ? b : a;
    if (plain->bits > natural->bits) return plain;
    return natural->bits == 64 ? float64() : integer(natural->bits * 2, true);
  }
  const int bits = std::max(float_bits(a), float_bits(b));
  if (a->is_complex() || b->is_complex()) return complex(std::max(64, 2 * bits));
  return floating(bits);
}

const Type* settle_weak(const Type* literal, const Type* other) {
  const auto rank = [](const Type* t) {
    return t->is_bool() ? 0 : t->is_int() ? 1 : t->is_float() ? 2 : 3;
  };
  if (literal->is_bool() || !other->is_scalar()) return literal;
  if (rank(literal) <= rank(other)) return other;
  if (literal->is_complex() && other->is_float()) return complex(other->bits == 64 ? 128 : 64);
  return literal;
}

}  // namespace pyk2cu::types
