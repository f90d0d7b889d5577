// What rounds of inference do to types: see growth.h.
#include "typeinfer/infer/growth.h"

#include "typeinfer/infer/conversions.h"

namespace pyk2cu::infer {

ir::Expr* Growth::grown(Emitter& in, Known& known, ir::Expr* value) {
  known.several = known.several || known.walk == walk_;
  known.walk = walk_;
  const auto grows = [](const Type* type) { return type->is_scalar() || type->is_tuple(); };
  const bool numbers = known.type && grows(known.type) && grows(value->type);
  if (numbers && !known.several && in.context().by_numba()) {
    if (const Type* both = types::unify(known.type, value->type, in.dialect()))
      value = cast(in, value, both);
  }
  known.type = value->type;
  return value;
}

}  // namespace pyk2cu::infer
