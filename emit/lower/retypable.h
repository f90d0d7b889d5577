// Variables whose type a pass may change.
//
// In:   a function.  Out: its locals that nothing but Assigns set, of values that are no call of a
// function (which stays the whole value of an Assign if it may raise: no conversion goes around
// it), and that nobody else has: no parameters, nothing shared with a kernel's threads. Tested by
// tests/golden/passes/{signs,demanded,narrow}.
#pragma once

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

inline bool has_64_bits(const types::Type* type) { return type->is_int() && type->bits == 64; }
// Its numbers are 32 bits, as which numbers ever.
inline bool has_32_bits(const types::Type* type) {
  return type->is_bool() || (type->is_int() && type->bits <= 32);
}
// int32 has all its numbers.
inline bool fits_int32(const types::Type* type) {
  return type->is_bool() || (type->is_int() && type->bits + !type->is_signed <= 32);
}

inline ir::LocalSet retypable(const ir::Function& f) {
  ir::LocalSet taken, found;
  for (const ir::Local* local : f.shared) taken.insert(local);
  for (const ir::Param& p : f.params) taken.insert(p.local);
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    const bool plain = a && a->value->kind != ir::ExprKind::kCall;
    ir::for_each_local_of(s, [&](const ir::Local* local, ir::Access access) {
      if (access != ir::Access::kRead && !(plain && a->local == local)) taken.insert(local);
    });
  });
  for (const ir::Local* local : f.locals)
    if (!taken.contains(local)) found.insert(local);
  return found;
}

}  // namespace pyk2cu::emit
