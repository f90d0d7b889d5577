// What a condition has read is read once.
//
//   if a[i + 1] < m: m = a[i + 1]   ->   x = a[i + 1]; if x < m: m = x
//
// Under a mask lanes would read the element a second time, and ask whether any lane wants to.
//
// In:   the body of one iteration.  Out: such elements in variables. Tested by
// tests/golden/gangs/again.py and tests/run/test_few_turns.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

void read_once(ir::Program& program, ir::Function& f, ir::Block& body);

}  // namespace pyk2cu::emit
