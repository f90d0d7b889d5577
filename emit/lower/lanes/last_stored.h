// Elements that the turn before stored, in variables.
//
//   for j in range(1, n): y[i, j] = a * y[i, j - 1]
//   ->
//   last = y[i, 0] if 1 < n else 0; for j in range(1, n): { last = a * last; y[i, j] = last }
//
// What a turn waits for comes from a register then, not from memory: that takes as long as an
// addition again. Every store stays where it is.
// In:   a loop that counts by one, without loops inside.  Out: what comes in front of it; its body
// is changed. Tested by tests/golden/gangs/row_sums.py and tests/run/test_straight.py.
#pragma once

#include <optional>
#include <vector>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

struct LastStored {
  std::vector<ir::Stmt*> front{};    // empty: there is no such element
  std::vector<ir::Local*> stored{};  // arrays, of which no two may share memory
};
LastStored keep_last(ir::Program& program, ir::Function& f, ir::For& loop);

// What stands where such a loop stood, and where it may.
struct HandedOn {
  ir::Block* block = nullptr;  // a copy of the loop, behind what is in front of it
  ir::Expr* apart = nullptr;   // that no other name means the elements; null: none does
};
// Null: no turn reads what the one before it stored.
std::optional<HandedOn> handed_on(ir::Program& program, ir::Function& f, const ir::For& loop,
                                  const ir::EffectAnalysis& effects);

}  // namespace pyk2cu::emit
