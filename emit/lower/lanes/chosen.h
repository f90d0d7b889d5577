// Stores that a condition on the old element asks for become stores of what is chosen.
//
//   if x < a[i]: a[i] = x   ->   a[i] = x if x < a[i] else a[i]
//
// In:   the body of an iteration that is to be lanes.  Out: it. Only where the condition reads the
// element that is stored: who else writes it meanwhile would be lost in the source too. Used by
// gangs.cpp and region.cpp. Tested by tests/golden/gangs/crossing.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Is there any?
bool choose_stores(ir::Program& program, ir::Block& body);

}  // namespace pyk2cu::emit
