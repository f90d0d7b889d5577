// Which loops are sums that `totals` makes several at a time of.
//
// In:   a loop.  Out: what it adds up in any order, and the turns from which on that is done.
// Tested by tests/golden/passes/totals.py and tests/run/test_totals.py.
#pragma once

#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// One number, or two of one type; none: it is no such loop.
std::vector<ir::Local*> summed_freely(const ir::For& loop);
int64_t enough_turns(const std::vector<ir::Local*>& sums);

}  // namespace pyk2cu::emit
