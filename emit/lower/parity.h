// Odd and even, as they are written.
//
//   x % 2, x & 1                        the lowest bit of x
//   x % 2 == 0, x & 1 != 0, bool(x & 1)  whether it is set, or not
//
// In:   an expression.  Out: x; null: it is nothing like that. Tested by tests/golden/passes/bits
// and tests/golden/gangs.
#pragma once

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

}  // namespace pyk2cu::emit
