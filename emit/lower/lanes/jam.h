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

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// hi - (hi - lo) % size: the first iteration that no whole group holds; lo, or more than hi, where
// hi is less than lo. `turns`: it is not.
ir::Expr* whole_groups(const ir::Builder& build, const ir::Expr* lo, const ir::Expr* hi, int size,
                       bool turns = false);

// hi - lo; where that has no number, any.
ir::Expr* turns_of(const ir::Builder& build, const ir::For& loop);

// `rest`: the first iteration that no group of `rows` holds.
ir::Block* jam(ir::Program& program, ir::Function& f, ir::For& loop, int rows, ir::Local* rest);

}  // namespace pyk2cu::emit
