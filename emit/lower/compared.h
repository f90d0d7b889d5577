// What is really compared: C++ compilers compare before they widen.
//
//   float64(x) > 0.5, x float32   ->   x        0.1 is no float32: float64(x) stays
//   int64(c) == 2                 ->   c
//
// In:   one side of a comparison, and the other.  Out: the side, without an exact conversion that
// changes nothing. Tested by tests/golden/passes/demanded and tests/golden/gangs.
#pragma once

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

inline const ir::Expr* compared(const ir::Expr* e, const ir::Expr* other) {
  const auto* convert = ir::try_as<ir::Convert>(e);
  if (!convert || convert->op != ir::ConvertOp::kExact) return e;
  const types::Type* from = convert->operand->type;
  const ir::Const* number = ir::constant(other);
  const bool whole = e->type->is_int() && from->is_int();
  const bool narrow = e->type->is_float() && from->is_float() && number &&
                      double(float(number->value.number.real())) == number->value.number.real();
  return whole || narrow ? convert->operand : e;
}

}  // namespace pyk2cu::emit
