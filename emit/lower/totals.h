// Which loops are sums that `totals` makes several at a time of.
//
// In:   a loop.  Out: what it adds up in any order, and the turns from which on that is done.
// Tested by tests/golden/passes/totals.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Null: it is no such loop.
ir::Local* summed_freely(const ir::For& loop);
int64_t enough_turns(const ir::Local& sum);

}  // namespace pyk2cu::emit
