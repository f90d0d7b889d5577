// Branches of straight code as choices of values.
//
//   if x > y: x, y = y, x      taken = x > y; old = x
//   if y > z: y, z = z, y  ->  x = y if taken else x; y = old if taken else y
//   out[i] = y                 …
//
//   out[i] = step(x)       ->  y = 0.0 if x < a else 1.0        (step: `if x < a: return 0.0`, …)
//                              out[i] = x if x < b else y
//
// Of several branches that hang on each other C++ compilers make ways first, and then vectors of
// every way; of helpers that return in several places no vectors at all.
//
// In:   a loop that C++ compilers make vectors of.  Out: it, where branches that only give
// variables values are choices, in it and in what it calls. Not of elements that only one side
// reads, of integers that are divided or of calls.
// Used by gangs.cpp. Tested by tests/golden/gangs/swaps.py,
// tests/run/test_swaps.py and tests/run/test_ways.py.
#pragma once

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

// `left`: variables that are read when the loop is over.
void choose_values(ir::Program& program, ir::Function& f, ir::For& loop, const ir::LocalSet& left);

}  // namespace pyk2cu::emit
