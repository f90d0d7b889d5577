// Nests of loops in which one load serves several rows: sums of products, distances of all pairs.
//
//   for i: for j: for k: c[i, j] += a[i, k] * b[k, j]
//   ->
//   for j: for i in fours: c0, … = c[i, j], …; for k: c0 += a[i, k] * b[k, j]; …; c[i, j] = c0; …
//
// In:   the outermost loop of a nest.  Out: a copy of the nest, its loops in an order for vector
// registers, or nothing where that is not the same to the last bit or serves nobody.
// Tested by tests/golden/gangs and tests/run/test_tiles.py.
#pragma once

#include <optional>
#include <vector>

#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

constexpr int kRows = 4;  // that are computed at a time

struct Tile {
  ir::Block* nest = nullptr;      // stands for the loop, where `condition` holds
  ir::Expr* condition = nullptr;  // null: nothing is asked
  ir::Block* block = nullptr;     // of the nest, that holds `lanes`
  ir::For* lanes = nullptr;       // whose iterations run side by side: they are independent
  const ir::For* rows = nullptr;  // of which kRows iterations are done at a time
  ir::Block front{};              // of the nest, what stood in front of its last loop
};

// `read_behind`: what is read when the loop is over.
std::optional<Tile> tile(ir::Program& program, ir::Function& f, const ir::For& loop,
                         const ir::EffectAnalysis& effects, const ir::LocalSet& read_behind);

}  // namespace pyk2cu::emit
