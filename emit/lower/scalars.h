// Elements that stay while a loop turns, in variables: scalar replacement.
//
//   for j in range(n):             if disjoint(out, a) and n > 0:
//     out[i] += a[i, j]      ->      kept = out[i]
//                                    for j in range(n): kept += a[i, j]
//                                    out[i] = kept
//                                  else: the loop
//
// C++ compilers leave such an element in memory, because the loop may read it under another name:
// every turn waits for the one before to be stored, and no vector holds several.
//
//   for i in range(n):             if disjoint(out, a): for i in range(n):
//     out[i] = a[i]          ->      kept = a[i]
//     out[i] += a[i + 1]             kept += a[i + 1]
//                                    out[i] = kept
//                                  else: the loop
//
// In:   innermost loops that raise nothing.  Out: such a loop, changed, where no other name in it
// means the element, and the element is there: every turn touches it, or that is asked. Tested by
// tests/golden/passes/scalars.py and tests/run/test_scalars.py.
#pragma once

#include <optional>
#include <vector>

#include "emit/lower/apart.h"
#include "emit/lower/flow.h"
#include "emit/lower/notes.h"

namespace pyk2cu::emit {

struct InVariables {
  ir::For* loop = nullptr;     // a copy, with variables of its own
  ir::Block* block = nullptr;  // it, between loads and stores
  ir::Expr* apart = nullptr;   // that no other name means the elements; null: none does
  ir::Expr* there = nullptr;   // that it turns, and has elements not all turns touch; null: sure
  bool asks = false;           // what is `there`: it may turn where it does not hold
  bool sums_rarely = false;    // a number that is no integer is not touched by every turn
  ir::LocalSet read_behind{};  // variables, when it is over
};
// Null: the loop has no such element. `around`: the loops that hold it. Adds locals to `f`.
std::optional<InVariables> in_variables(ir::Program& program, ir::Function& f, const ir::For& loop,
                                        const ir::EffectAnalysis& effects,
                                        const std::vector<Around>& around,
                                        const ReadBehind& read_behind);
// Would the loop add up integers, which C++ compilers make vectors of? See lanes.h.
bool counts_in_variables(ir::Program& program, ir::Function& f, const ir::For& loop,
                         const ir::EffectAnalysis& effects);
// Puts it where the loop stands in `b`: what stands there now, the last statement.
const ir::Stmt* instead(ir::Program& program, ir::Function& f, ir::Block& b, ir::For& loop,
                        const InVariables& made, std::vector<Around> around);

}  // namespace pyk2cu::emit
