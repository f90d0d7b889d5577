// Several iterations of a loop at once: unroll and jam.
//
//   for i: x; for k: y                         independent iterations
//   ->
//   for i in fours: x(i); …; x(i + 3); for k: { y(i); …; y(i + 3) }
//   for i from rest: x; for k: y
//
// In:   a loop whose iterations are independent, with loops inside whose ends are the same for all.
// Out:  statements in its place. Tested by tests/golden/gangs/tiles.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// `rest`: the first iteration that no group of `rows` holds.
ir::Block* jam(ir::Program& program, ir::Function& f, ir::For& loop, int rows, ir::Local* rest);

}  // namespace pyk2cu::emit
