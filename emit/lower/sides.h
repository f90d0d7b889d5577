// What the sides of a branch may do in any case.
//
// In:   the branch's condition, and what is computed under it.  Out: may it be computed whatever
// the condition says, and how much work is that; does nothing foresee the condition?
// Used by choices.cpp and compactions.cpp. Tested by tests/golden/passes/choices.py and
// tests/golden/passes/compactions.py.
#pragma once

#include <functional>

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

struct Sides {
  const ir::Expr* condition;
  std::function<bool(const ir::Element&)> is_inside{};  // none: no other elements
  ir::LocalSet assigned{};
  int operations = 0;
  bool keeps = false;  // an integer that is not counted on: of the last one found

  // Of numbers and variables, whatever they are, and elements that the condition or both sides read
  // or that arrays surely have: nothing that is slow or raises.
  bool cheap(const ir::Expr* e);
  // Of such numbers and of truths.
  bool cheap_condition(const ir::Expr* e);
};

// Does it read elements, or a variable that the loop takes from one?
bool hangs_on_data(const ir::Expr* condition, const ir::Stmt& loop);

}  // namespace pyk2cu::emit
