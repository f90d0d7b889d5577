// Do arrays of a loop share memory? Asked when the program runs, in front of the loops.
//
// In:   the statements of a loop.  Out: a condition. Tested by tests/golden/lanes and
// tests/run/test_distances.py.
#pragma once

#include <vector>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

// The loops that hold a loop, outermost first and it last, with the blocks that they stand in.
struct Around {
  ir::Block* block;
  ir::Stmt* loop;
};

struct TouchedArrays {
  std::vector<ir::Local*> stored{}, all{};
  bool known = true;  // all of them are locals that surely hold an array
};
TouchedArrays touched_by(const ir::Block& body);

// disjoint(out, a, b) && disjoint(...): no stored array shares memory with another. Null: none can.
ir::Expr* apart(const ir::Builder& build, const TouchedArrays& arrays,
                const ir::EffectAnalysis& effects);

// n >= turns or -n >= turns, and so on: is each distance as large as the loop turns often? Null:
// yes.
ir::Expr* far_apart(const ir::Builder& build, const ir::For& loop,
                    const std::vector<Distance>& distances);

// A variable of `f` that holds the condition, asked in front of the last loop of `around`, or of
// the outermost one whose body does not change what it reads: one for all that ask the same there.
ir::Local* ask(ir::Program& program, ir::Function& f, std::string_view name, ir::Expr* condition,
               const std::vector<Around>& around);

}  // namespace pyk2cu::emit
