// Stores that a condition on the old element asks for become stores of what is chosen.
//
//   if x < a[i]: a[i] = x   ->   a[i] = x if x < a[i] else a[i]
//
// In:   the body of an iteration that is to be lanes.  Out: it. Only where the condition reads the
// element that is stored, so that it is there, and one core runs the loop. Used by gangs.cpp and
// region.cpp. Tested by tests/golden/gangs/crossing.py and tests/run/test_crossing.py.
#pragma once

#include <unordered_set>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Is there any?
bool choose_stores(ir::Program& program, ir::Block& body);

// Functions with parallel loops, and what they call: cores store there what others must not write
// back.
std::unordered_set<const ir::Function*> run_by_cores(const ir::Program& program);

}  // namespace pyk2cu::emit
