// Tuples of numbers, and of such tuples: a variable for each item.
//
//   t = (a, b); x = t.0   ->   t_0 = a; t_1 = b; x = t_0
//
// In:   the body of one iteration, or of a function.  Out: it, without tuples that only give their
// items. Tested by tests/golden/gangs/tuples.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

void split_tuples(ir::Program& program, ir::Function& f, ir::Block& body);

}  // namespace pyk2cu::emit
