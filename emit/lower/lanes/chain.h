// How long a turn of a loop waits for the one before.
//
// In:   a loop.  Out: cycles from turn to turn of its longest chain of operations, where all
// branches are foreseen and everything else runs beside it. Tested by tests/golden/gangs.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

double chain_of(const ir::Stmt& loop);

}  // namespace pyk2cu::emit
