// Odd and even, and other bits, as they are written.
//
//   x % 2, x & 1                        the lowest bit of x
//   x % 2 == 0, x & 1 != 0, bool(x & 1)  whether it is set, or not
//   x & 32768, x & 128 == 0              likewise, of any other bit
//
// In:   an expression.  Out: x; null: it is nothing like that. Tested by tests/golden/passes/bits,
// tests/golden/gangs and tests/run/test_registers.py.
#pragma once

#include <bit>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

inline ir::Expr* lowest_bit_of(const ir::Expr* e) {
  const auto* bit = ir::try_as<ir::Binary>(e);
  if (!bit || !bit->type->is_int()) return nullptr;
  const bool is_it = (bit->op == ir::BinaryOp::kMod && ir::is_int_const(bit->right, 2)) ||
                     (bit->op == ir::BinaryOp::kAnd && ir::is_int_const(bit->right, 1));
  return is_it ? bit->left : nullptr;
}

struct Parity {
  ir::Expr* of = nullptr;  // null: nobody asks
  bool wants_odd = true;
};

inline Parity parity_of(const ir::Expr* condition) {
  const auto* truth = ir::try_as<ir::Convert>(condition);
  if (truth && truth->op == ir::ConvertOp::kTruth) return {lowest_bit_of(truth->operand)};
  const auto* compare = ir::try_as<ir::Compare>(condition);
  const bool is_equal = compare && compare->op == ir::CompareOp::kEq;
  if (!is_equal && !(compare && compare->op == ir::CompareOp::kNe)) return {};
  const bool zero = ir::is_int_const(compare->right, 0), one = ir::is_int_const(compare->right, 1);
  return zero || one ? Parity{lowest_bit_of(compare->left), one == is_equal} : Parity{};
}

// Whose bit decides; null: nobody's.
inline ir::Expr* asked_bit_of(const ir::Expr* condition) {
  const Parity parity = parity_of(condition);
  if (parity.of) return parity.of;
  const auto* truth = ir::try_as<ir::Convert>(condition);
  const auto* compare = ir::try_as<ir::Compare>(condition);
  const ir::Expr* bits = nullptr;
  if (truth && truth->op == ir::ConvertOp::kTruth) bits = truth->operand;
  if (compare && ir::is_int_const(compare->right, 0) &&
      (compare->op == ir::CompareOp::kEq || compare->op == ir::CompareOp::kNe))
    bits = compare->left;
  const auto* both = ir::try_as<ir::Binary>(bits);
  if (!both || both->op != ir::BinaryOp::kAnd) return nullptr;
  const ir::Const* mask = ir::constant(both->right);
  const bool is_bit = mask && std::has_single_bit(uint64_t(mask->value.integer));
  return is_bit ? both->left : nullptr;
}

}  // namespace pyk2cu::emit
