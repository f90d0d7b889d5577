// Promotion: result types of operators, conversions between types, unification at joins.
//
// Every rule is Numba's where `dialect` says so, or NumPy 2's (docs/typing.md#dialects). Pure
// functions over types; null means "no such operation".
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
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kShl,
  kShr,
  kAnd,
  kOr,
  kXor,
  kMatMul,
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

// For ints of mixed signedness the common type is signed 64 bit. Null for types without the
// operator.
OpTypes binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect);
struct UnaryTypes {
  const Type* operand = nullptr;  // converted to this before the operation
  const Type* result = nullptr;
  explicit operator bool() const { return result != nullptr; }
};
UnaryTypes unary(UnaryOp op, const Type* operand, Dialect dialect);
OpTypes compare(CompareOp op, const Type* left, const Type* right,
                Dialect dialect);  // result: bool

// The same for the elements of arrays (`a + b`, `a * 2.0`, np.add(x, y)): ufunc loops, whose types
// differ from those of scalars in Numba's dialect (int8 + int8 is int8, int32 + float32 float32).
OpTypes element_binary(BinaryOp op, const Type* left, const Type* right, Dialect dialect);
UnaryTypes element_unary(UnaryOp op, const Type* operand, Dialect dialect);
OpTypes element_compare(CompareOp op, const Type* left, const Type* right, Dialect dialect);

// What np.promote_types says of two scalars, bool included.
const Type* numpy_promote(const Type* a, const Type* b);

// NEP 50: the type that a Python literal (int64, float64, complex128 or bool by kind) takes beside
// a value of type `other`.  1.0 beside float32 is float32, 1 beside uint8 uint8, 1.0 beside int8
// float64.
const Type* settle_weak(const Type* literal, const Type* other);

// The type of a variable assigned `a` on one path and `b` on another (docs/typing.md#joins); null:
// cannot unify.
const Type* unify(const Type* a, const Type* b, Dialect dialect);
// The same for several, in Numba's order: narrow ones first. Null for none, or if two cannot unify.
const Type* unify_all(std::span<const Type* const> types, Dialect dialect);

// How a value of type `from` becomes `to`.
enum class Conversion : uint8_t { kNone, kExact, kPromote, kSafe, kUnsafe };  // kNone: impossible
Conversion conversion(const Type* from, const Type* to);

// np.can_cast(from, to, 'safe') for scalars: what a call may do to an argument that is only read.
bool is_safe_cast(const Type* from, const Type* to);

}  // namespace pyk2cu::types
