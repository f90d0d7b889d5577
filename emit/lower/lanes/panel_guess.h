// Which elements will lie side by side in a panel: see panels.h. What gangs are worth is asked
// before there are any.
//
// In:   the body of a gang that may be made, elements in it.  Out: yes or no. Used by worth.cpp.
// Tested by tests/golden/gangs/panels.py and tests/run/test_panels.py.
#pragma once

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

class PanelGuess {
 public:
  PanelGuess(const Gang& gang, const Shape& shape, const ir::Block& body);

  // Lanes have rows of the array, which loops come back to. `rows`, `along`: the two innermost
  // loops around it whose turns all lanes have in common, null: others.
  bool has(const ir::Expr* array, const ir::List<ir::Index>& indices, const ir::For* rows,
           const ir::For* along) const;

 private:
  void see_stores(const ir::Block& b, bool in_loop);

  const Gang& gang_;
  const Shape& shape_;
  const ir::LocalSet assigned_;
  ir::LocalSet stored_{};   // arrays
  ir::LocalSet turning_{};  // variables of loops
  bool stores_in_loops_ = false;
};

}  // namespace pyk2cu::emit
