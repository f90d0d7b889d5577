// What may run in the lanes of vector registers.
//
// In:   innermost loops.  Out: whether all that they compute has vector instructions; strips.
// Tested by tests/golden/lanes and tests/run/test_lanes.py.
#pragma once

#include <vector>

#include "emit/lower/apart.h"
#include "emit/lower/flow.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

// Every iteration has its own variables, reductions aside, its elements lie side by side, and what
// it computes has vector instructions on every processor, checks aside.
bool fills_lanes(const ir::For& loop, const ir::EffectAnalysis& effects);
// The same, but that it adds up integers, in whatever order C++ compilers like.
bool counts(const ir::For& loop, const ir::EffectAnalysis& effects);
// Is there anything in it, or in what it calls, that has another form in lanes?
bool differs_in_lanes(const ir::Block& body);
// Is there such a function on a side of a branch, in it or in what it calls? C++ compilers make
// ways of those. Of a loop that fills lanes: what it calls ends a few calls deep.
bool has_ways(const ir::Block& body);

// The parts of a loop that runs in strips.
struct Strips {
  ir::Block* checks = nullptr;   // of the loop that only asks whether anything raises
  ir::Function* step = nullptr;  // one iteration; null: no strips
};
// for i in range(n): …checks…   ->   strips of i: check all; if none raises, run without checks
// `effects`, `behind`: of the function before any of its loops was changed.
Strips strips(ir::Program& program, ir::Function& f, ir::For& loop,
              const std::vector<Around>& around, const ir::EffectAnalysis& effects,
              const ReadBehind& behind);

}  // namespace pyk2cu::emit
