// Sums along rows, several rows at a time.
//
//   for i: s = 0; for j: s += a[i, j]; …what is done with s…
//   ->
//   for i in fours: s0, … s3 = 0; for j: { s0 += a[i, j]; … s3 += a[i + 3, j] }
//                   …what is done with s0…; … …with s3…
//   for i from rest: …one row…
//
// Each addition waits for the one before it; those of several rows do not wait for each other.
// What follows the sums keeps the order of the source, row by row.
//
// In:   a loop around loops that add up, or hand on something else from turn to turn.  Out: a copy
// of it, or nothing where it is not the same to the last bit or serves nobody. Tested by
// tests/golden/gangs/row_sums.py and tests/run/test_row_sums.py.
#pragma once

#include <optional>
#include <vector>

#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

struct RowSums {
  ir::Block* block = nullptr;             // stands for the loop, where `condition` holds
  ir::Expr* condition = nullptr;          // null: nothing is asked
  int rows = 0;                           // at a time
  std::vector<const ir::Stmt*> joined{};  // loops that are one for all of them
};

// `read_behind`: what is read when the loop is over. `alone`: no lanes can be had of it.
std::optional<RowSums> row_sums(ir::Program& program, ir::Function& f, const ir::For& loop,
                                const ir::EffectAnalysis& effects, const ir::LocalSet& read_behind,
                                bool alone);

}  // namespace pyk2cu::emit
