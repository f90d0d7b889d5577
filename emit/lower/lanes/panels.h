// Panels: what a gang loads of an array many times, laid side by side once for all of them.
//
//   for i in …: for k in range(n): s += a[i, k] * b[k, j + lane]
//   ->
//   panel = lanes.panel(b[0:n, j:j + count], 32, 32 <= rows)
//   for i in …: for k in range(n): s += a[i, k] * panel[k, lane]
//
// Rows of an array lie apart, often by a power of two, so that few of them fit into a cache at a
// time; those of a panel lie behind one another. Where the rows are few the panel is the array.
//
//   s += a[i, k] * b[j + lane, k]   ->   s += a[i, k] * (panel[k, lane] if known else b[j + lane,
//   k])
//
// A vector of elements that lie in a row each takes a load for every one, in a panel one for all;
// known: whether there is one.
// So do lanes outside tiles, whose loops inside come back to their rows.
// In:   the body of a gang.  Out: it, with panels. Tested by tests/golden/gangs/panels.py
// and tests/run/test_panels.py.
#pragma once

#include <vector>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

struct MadePanel {
  const ir::Local* array;
  int64_t rows;  // it is a copy where so many iterations or more load it
};

// The panels that there are now.
std::vector<MadePanel> make_panels(ir::Program& program, ir::Function& f, const Gang& gang,
                                   ir::Block& lanes, bool is_tile);

}  // namespace pyk2cu::emit
