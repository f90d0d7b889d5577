// Elements that do not change while a loop inside turns are loaded once, in front of it.
//
//   for j in range(n): …x[i, 0]…   ->   kept = x[i, 0] if i < x.shape[0] and … else 0
//                                       for j in range(n): …kept…
//
// In:   the body of one iteration of `loop`, which `index` numbers.  Out: it. What a loop that
// turns never, or a branch not taken, would not have loaded is asked for. `arrays`: locals that
// hold arrays of the iteration alone. Tested by tests/golden/gangs/lift.py.
#pragma once

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

void lift_loads(ir::Program& program, ir::Function& f, ir::Block& body, const ir::Local* index,
                const ir::For& loop, const ir::LocalSet& arrays);

}  // namespace pyk2cu::emit
