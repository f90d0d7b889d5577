// A loop that in one of its iterations writes what all of them read: what stands before that one
// and behind it are lanes.
//
//   for j in range(n):              at = max(0, min(k, n))
//     a[i, j] -= a[i, k] * x[j] ->  kept = a[i, k]; for j in range(0, at): a[i, j] -= kept * x[j]
//                                   for j in range(at, next): …as it was…     once at most
//                                   kept = a[i, k]; for j in range(next, n): …
//
// In:   a counted loop of straight code.  Out: a copy of it, for the two parts, and where they
// part; then what stands in place of the loop. Used by gangs.cpp. Tested by
// tests/golden/gangs/crossing.py and tests/run/test_crossing.py.
#pragma once

#include <optional>
#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

struct Crossing {
  ir::For* part = nullptr;  // over [begin, end), which nothing has assigned yet
  ir::Local *begin = nullptr, *end = nullptr;
  std::vector<ir::Stmt*> loads{};  // what the part reads of the one iteration, in front of it
  ir::Expr* at = nullptr;          // that iteration; null: the loop surely has not got it
};
std::optional<Crossing> crossing_of(ir::Program& program, ir::Function& f, const ir::For& loop);

// The part, the loop for the one iteration, the part again. The loop's ends are others now.
ir::Block* in_parts(ir::Program& program, ir::Function& f, ir::For& loop, const Crossing& crossing);

}  // namespace pyk2cu::emit
