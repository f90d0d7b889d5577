// What is evaluated whenever an expression is.
//
// In:   an expression.  Out: is there such a piece in it that no `and`, `or` or choice leaves out?
// Tested by tests/run/test_scalars.py and tests/run/test_sums_of_sides.py.
#pragma once

#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// f(const Expr*) says true for one of them.
template <class F>
bool any_evaluated(const ir::Expr* e, F&& f) {
  if (f(e)) return true;
  const bool chooses = e->kind == ir::ExprKind::kLogical || e->kind == ir::ExprKind::kSelect;
  bool found = false, first = true;
  ir::for_each_operand(e, [&](const ir::Expr* part) {
    if (!found && (first || !chooses)) found = any_evaluated(part, f);
    first = false;
  });
  return found;
}

inline bool is_evaluated_in(const ir::Expr* whole, const ir::Expr* piece) {
  return any_evaluated(whole, [&](const ir::Expr* e) { return ir::equal(e, piece); });
}

}  // namespace pyk2cu::emit
