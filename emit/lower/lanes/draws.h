// Random numbers of all lanes at once.
//
//   x = random()   ->   each lane: drawn = random(); x = drawn
//
// In:   the body of one iteration.  Out: it, every number drawn in front of the statement that uses
// it, whether or not it comes to be used: for generators that nobody has seeded.
// Tested by tests/golden/gangs/draws.py and tests/run/test_gangs.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Does it draw random numbers?
bool draws(const ir::Block& body);
// Can nothing in the function seed a generator?
bool seeds_nothing(const ir::Function& f);

// Was there any?
bool draw_ahead(ir::Program& program, ir::Function& f, ir::Block& body);

}  // namespace pyk2cu::emit
