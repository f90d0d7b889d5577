// Questions about loops that several passes ask.
//
// In:   a loop and the function around it.  Out: yes or no, no where it is not known.
// Tested by tests/golden/openmp and tests/golden/lanes.
#pragma once

#include <optional>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Is `local` read behind `target`, when `after` says whether it is read behind the block?
// Nothing when the block does not hold the target.
std::optional<bool> read_behind(ir::Block& block, const ir::Stmt* target, const ir::Local* local,
                                bool after);

// The value is index * c + something that the loop does not change: every iteration has its own.
bool moves_with(ir::Expr* e, const ir::Local* index, ir::For& loop);

// Known before the loop: reads only what the body does not assign.
bool is_known(ir::Expr* e, ir::Block& body, const ir::Local* index);

// May two arrays of different names share memory?
enum class Aliasing : uint8_t { kPossible, kExcluded };

// Every iteration stores elements of its own, and loads no others of the arrays stored to.
bool stores_its_own(ir::For& loop, Aliasing aliasing);

// Likewise; and no calls, no inner loops, no exits.
bool is_straight(ir::For& loop);

}  // namespace pyk2cu::emit
