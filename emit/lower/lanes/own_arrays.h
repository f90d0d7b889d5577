// Arrays that every iteration makes for itself: in a gang one array with an element for each lane.
//
//   row = np.zeros(n); row[j] = x   ->   row = np.zeros((n, 16)); row[j, k] = x
//
// In:   the body of one iteration.  Out: it, with such arrays; their size, which has to be known in
// front of the loop and not too large. Tested by tests/golden/gangs/own_arrays.py and
// tests/run/test_own_arrays.py.
#pragma once

#include <string>
#include <vector>

#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

// What people may do who have one that lanes cannot.
extern const char* const kOwnArray;

struct OwnArrays {
  ir::LocalSet locals{};  // that hold them, and nothing else
  std::vector<ir::NewArray*> made{};
  std::vector<const ir::Expr*> bytes{};  // float64, of each, of one lane, as known in front
  // Why an iteration cannot have arrays of its own, and where; empty: it can, or makes none.
  std::string why{};
  Span at{};
};

// `index`: of the loop. What fills them becomes loops.
OwnArrays own_arrays(ir::Program& program, ir::Function& f, ir::Block& body,
                     const ir::Local* index);

// Gives them one more axis, along which `lane` counts; give_lanes says how far.
void widen(ir::Program& program, ir::Block& body, OwnArrays& own, ir::Local* lane);
void give_lanes(const ir::Builder& build, OwnArrays& own, int width);

// All of them together are small. Null: nothing to ask.
ir::Expr* are_small(const ir::Builder& build, const OwnArrays& own, int width);

}  // namespace pyk2cu::emit
