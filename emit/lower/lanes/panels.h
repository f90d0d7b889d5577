// Panels: what many rows of a tile load of an array, laid side by side once for all of them.
//
//   for i in …: for k in range(n): s += a[i, k] * b[k, j + lane]
//   ->
//   panel = lanes.panel(b[0:n, j:j + count], 32, 32 <= rows)
//   for i in …: for k in range(n): s += a[i, k] * panel[k, lane]
//
// Rows of an array lie apart, often by a power of two, so that few of them fit into a cache at a
// time; those of a panel lie behind one another. Where the rows are few the panel is the array.
// In:   the body of a gang of a tile.  Out: it, with panels. Tested by tests/golden/gangs/panels.py
// and tests/run/test_panels.py.
#pragma once

#include <vector>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

constexpr int64_t kManyRows = 32;  // for which a panel is worth its copies

// The arrays that have one now.
std::vector<const ir::Local*> make_panels(ir::Program& program, ir::Function& f, const Gang& gang,
                                          ir::Block& lanes);

}  // namespace pyk2cu::emit
