// What may run in the lanes of vector registers.
//
// In:   innermost loops.  Out: whether all that they compute has vector instructions; strips.
// Tested by tests/golden/lanes and tests/run/test_lanes.py.
#pragma once

#include "emit/lower/facts.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// `if (divisor == 0.0) raise`: nothing but a condition and a Raise.
bool is_check(const ir::Stmt* s);

// Every iteration has its own variables, reductions aside, its elements lie side by side, and what
// it computes has vector instructions on every processor, checks aside.
bool fills_lanes(ir::For& loop, const std::vector<ir::Reduction>& reductions);

// The bodies of the two loops of a strip that raises nothing; null where there are no strips.
struct Strips {
  ir::Block* checks = nullptr;
  ir::Block* plain = nullptr;
};
// for i in range(n): …checks…   ->   strips of i: check all; if none raises, run without checks
// `around`: the loops that hold this one, outermost first, with the blocks that they stand in.
struct Around {
  ir::Block* block;
  ir::Stmt* loop;
};
Strips strips(ir::Program& program, ir::Function& f, Facts& facts, ir::For& loop,
              const std::vector<Around>& around);

}  // namespace pyk2cu::emit
