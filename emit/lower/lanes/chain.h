// How long a turn of a loop waits for the one before.
//
// In:   a loop.  Out: cycles from turn to turn of its longest chain of operations, where all
// branches are foreseen and everything else runs beside it. Tested by tests/golden/gangs.
#pragma once

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

double chain_of(const ir::Stmt& loop);
// while hi - lo > 1: k = (hi + lo) // 2; if x[k] > q: …   Do elements from anywhere say which ones
// the next turn loads?
bool chases(const ir::Stmt* s, const Gang& gang, const Shape& shape);

}  // namespace pyk2cu::emit
