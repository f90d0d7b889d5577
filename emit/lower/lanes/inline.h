// Calls of helpers become their bodies, so that masks can go through them.
//
// In:   a block, perhaps which of its calls.  Out: none of them is left in it, or the one that
// stands in the way. Tested by tests/golden/gangs.
#pragma once

#include <functional>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// Does a call become a body? `depth`: in how many bodies it stands that calls have become.
using Taken = std::function<bool(const ir::Call&, int depth)>;

// x = f(a)   ->   while true: { …body of f, `return v` is x_of_f = v; break…; break }  x = x_of_f
// Where nothing but the end of f follows its returns, without a loop: `if c: return v` has two
// sides.
// The call that cannot be inlined: the block is then of no use any more. Null: no call is left, of
// those that `are_taken` says.
const ir::Call* inline_calls(ir::Program& program, ir::Function& f, ir::Block& block,
                             const Taken& are_taken = {});

// Is nothing but its length in the way of a call of `callee` in `f`?
bool may_inline(const ir::Function& f, const ir::Function& callee);

// `while true` whose body ends with a break of it: runs once, its breaks lead behind it.
bool runs_once(const ir::Stmt* s);

}  // namespace pyk2cu::emit
