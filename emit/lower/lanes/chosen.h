// Stores that a condition on the old element asks for become stores of what is chosen.
//
//   if x < a[i]: a[i] = x   ->   a[i] = x if x < a[i] else a[i]
//
// In:   the body of an iteration that is to be lanes.  Out: it. Only where the condition reads the
// element that is stored, so that it is there. Used by gangs.cpp and region.cpp. Tested by
// tests/golden/gangs/crossing.py and tests/run/test_crossing.py.
#pragma once

#include "emit/lower/iterations.h"

namespace pyk2cu::emit {

// Is there any? `iterations`: of cores that share the array, which meet where an iteration stores
// elsewhere than at elements of its own; null: of one.
bool choose_stores(ir::Program& program, ir::Block& body, const Iterations* iterations);

}  // namespace pyk2cu::emit
