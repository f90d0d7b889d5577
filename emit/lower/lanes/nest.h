// Pieces of loop nests: elements kept in variables, loops that become two.
//
//   for k: c[i, j] += e        ->   sum = c[i, j]; for k: sum += e; c[i, j] = sum
//   for i: x; for j: y         ->   for i: x;  for i: for j: y         independent iterations
//
// In:   loops and their bodies.  Out: statements. Tested by tests/golden/gangs/tiles.py.
#pragma once

#include <optional>
#include <vector>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

struct KeptElement {
  ir::Stmt *load = nullptr, *store = nullptr;  // in front of the loops, and behind them
};
// Of the innermost `body` of `loops`, which adds to one element all the time. `computed`: variables
// that differ from turn to turn. Changes the body.
std::optional<KeptElement> keep_element(ir::Program& program, ir::Function& f, ir::Block& body,
                                        const std::vector<ir::For*>& loops,
                                        const ir::LocalSet& computed);

// c[i, j] = x; sum = c[i, j]   ->   sum = x, where the loops behind store the sum anyway.
void forward_store(ir::Block& before, const KeptElement& kept);

// The statements in front of the last one of the innermost loop become a nest of their own, which
// comes first; null: they cannot. `loops` hold one another, outermost first.
ir::Block* take_front(ir::Program& program, ir::Function& f, const std::vector<ir::For*>& loops,
                      const ir::EffectAnalysis& effects);

// One inside the other, around the block.
ir::Block* nest_of(const ir::Builder& build, const std::vector<ir::For*>& loops, ir::Block* block);

// Has it iterations none of which touches what another stores, wherever the other loops are?
bool is_independent(const ir::Builder& build, const ir::For& loop,
                    const std::vector<ir::For*>& loops, ir::Block& body,
                    const ir::EffectAnalysis& effects);

}  // namespace pyk2cu::emit
