// What every iteration of a loop computes alike, in front of it.
//
//   for j …:                                        same = (i + 1) % n
//     s += a[(i + 1) % n, j]                  ->    for j …:
//     y = min(max(i - 1, 0), n - 1)                   s += a[same, j]
//
// C++ compilers leave divisions in loops, for they stand behind a test, and with them no vectors.
// In:   the body of a loop, its variable, what it assigns once and nothing else reads.
// Out:  statements for the place in front of the loop, in order; of equal ones there is one.
// Tested by tests/golden/passes/unroll.
#pragma once

#include <vector>

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

std::vector<ir::Stmt*> take_invariants(ir::Program& program, ir::Function& f, ir::Block& body,
                                       const ir::Local* index, const ir::LocalSet& own);

// The least or the greatest of two.
bool is_cut(const ir::Builtin& call);

}  // namespace pyk2cu::emit
