// Rows of a few bytes each, of which every lane has its own: pixels.
//
//   out[y, x, k] = a[y, x, k] // 2     of x side by side, three bytes apart
//
// C++ compilers take such bytes apart in vectors where they know how many there are to a row: as
// many as subscripts name, which is asked in front of the loop.
// In:   the body of one iteration.  Out: loops of a few turns over such bytes unrolled; the arrays.
// Used by region.cpp. Tested by tests/golden/gangs/pixels.py and tests/run/test_pixels.py.
#pragma once

#include <vector>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

void unroll_pixels(ir::Program& program, ir::Block& body);

// Nothing but elements of such rows are asked of them.
std::vector<Interleaved> interleaved(const ir::Block& body, const Gang& gang, const Shape& shape);

// a.shape[2] == 3
ir::Expr* has_extent(const ir::Builder& build, const Interleaved& rows);

}  // namespace pyk2cu::emit
