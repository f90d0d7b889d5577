// Several iterations of a loop at once: unroll and jam.
//
//   for i: x; for k: y                         independent iterations
//   ->
//   for i in fours: x(i); …; x(i + 3); for k: { y(i); …; y(i + 3) }
//   for i from rest: x; for k: y
//
// What follows a number of statements is not joined: x(i); …; x(i + 3); y(i); …; y(i + 3).
//
// In:   a loop, and how many statements of its body may be done for several iterations before what
// follows them is done for the first; the ends of loops among them are the same for all iterations,
// and every iteration has the variables that they assign to itself.
// Out:  statements in its place. Tested by tests/golden/gangs/tiles.py and row_sums.py.
#pragma once

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// hi - (hi - lo) % size: the first iteration that no whole group holds; lo, or more than hi, where
// hi is less than lo. `turns`: it is not.
ir::Expr* whole_groups(const ir::Builder& build, const ir::Expr* lo, const ir::Expr* hi, int size,
                       bool turns = false);

// hi - lo; where that has no number, any.
ir::Expr* turns_of(const ir::Builder& build, const ir::For& loop);

// `rest`: the first iteration that no group of `rows` holds. `joined`: statements of the body.
ir::Block* jam(ir::Program& program, ir::Function& f, ir::For& loop, int rows, ir::Local* rest,
               size_t joined);

}  // namespace pyk2cu::emit
