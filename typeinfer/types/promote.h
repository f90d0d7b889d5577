// Promotion: result types of operators, conversions between types, unification at joins.
//
// Every rule is Numba's where `dialect` says so (spec/cuda.md 2.1 with the CPU exceptions of
// spec/decisions.md) or NumPy 2's. Pure functions over types; null means "no such operation".
// Tested by tests/unit/typeinfer/promote_test.cpp against tables asked of Numba.
#pragma once

#include "typeinfer/types/types.h"

namespace pyk2cu::types {

enum class Rules : uint8_t { kNumba, kNumpy };
enum class Target : uint8_t { kCpu, kCuda };
struct Dialect {
  Rules rules = Rules::kNumba;
  Target target = Target::kCpu;
  bool operator==(const Dialect&) const = default;
};

enum class BinaryOp : uint8_t {
  kAdd, kSub, kMul, kDiv, kFloorDiv, kMod, kPow, kShl, kShr, kAnd, kOr, kXor, kMatMul,
};
enum class UnaryOp : uint8_t { kPos, kNeg, kInvert, kNot };
enum class CompareOp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

// What an operator on scalars computes in: both operands are converted to left and right (often
// equal; x ** n keeps an integer exponent), the operation runs there and yields result.
struct OpTypes {
  const Type* left = nullptr;
  const Type* right = nullptr;
  const Type* result = nullptr;
  explicit operator bool() const { return result != nullptr; }
};

// `literal_exponent`: the right operand of ** is an integer literal (Numba types `x ** 2` apart).
OpTypes binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect);
struct UnaryTypes {
  const Type* operand = nullptr;  // converted to this before the operation
  const Type* result = nullptr;
  explicit operator bool() const { return result != nullptr; }
};
UnaryTypes unary(UnaryOp op, const Type* operand, Dialect dialect);
OpTypes compare(CompareOp op, const Type* left, const Type* right, Dialect dialect);  // result: bool

// The type of a variable assigned `a` on one path and `b` on another (S21); null: cannot unify.
const Type* unify(const Type* a, const Type* b, Dialect dialect);

// How a value of type `from` becomes `to`.
enum class Conversion : uint8_t { kNone, kExact, kPromote, kSafe, kUnsafe };  // kNone: impossible
Conversion conversion(const Type* from, const Type* to);

// np.can_cast(from, to, 'safe') for scalars: what a call may do to an argument that is only read.
bool is_safe_cast(const Type* from, const Type* to);

}  // namespace pyk2cu::types
