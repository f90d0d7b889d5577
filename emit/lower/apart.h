// Do arrays of a loop share memory? Asked when the program runs, in front of the loops.
//
// In:   the statements of a loop.  Out: a condition. Tested by tests/golden/lanes.
#pragma once

#include <vector>

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

// A variable of `f` that holds the condition, asked in front of the last loop of `around`, or of
// the outermost one whose body does not change what it reads: one for all that ask the same there.
ir::Local* ask(ir::Program& program, ir::Function& f, std::string_view name, ir::Expr* condition,
               const std::vector<Around>& around);

}  // namespace pyk2cu::emit
