// Does a gang gain anything over one iteration after the other?
//
// In:   the body of an iteration and what of it varies.  Out: Worth. Tested by
// tests/golden/gangs.
#pragma once

#include <unordered_set>

#include "emit/lower/lanes/gang.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

// Cycles of one iteration, very roughly.
struct Worth {
  double alone = 0, lanes = 0;
  bool matters = false;    // there is more than straight code, which compilers vectorise themselves
  bool only_adds = false;  // of which nothing matters but sums in any order, without a branch
  bool pays = false;
  bool is_dense = false;  // it loads or stores elements, those of all lanes side by side
};

using Loops = std::unordered_set<const ir::Stmt*>;

// Those that C++ compilers make vectors of in one iteration.
Loops straight_loops(ir::Program& program, ir::Function& f, const ir::Block& body,
                     const ir::EffectAnalysis& effects);

// `abandoned`: the loop that raising lanes leave; null: none raises.
Worth worth_of(const ir::Block& body, const Gang& gang, const Shape& shape,
               const ir::Stmt* abandoned, const Loops& straight);

// Is there a loop in it that turns as often as the program says when it runs?
bool may_be_long(const ir::Block& body);

}  // namespace pyk2cu::emit
