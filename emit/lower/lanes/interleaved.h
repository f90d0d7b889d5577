// Rows of a few elements each, of which every lane has its own: pixels, points.
//
//   out[y, x, k] = a[y, x, k] // 2     of x side by side, three bytes apart
//
// C++ compilers take such rows apart in vectors where they know how many elements there are to
// one: as many as subscripts name, which is asked in front of the loop or of a gang.
// In:   the body of one iteration.  Out: loops of a few turns over such rows unrolled; the arrays.
// Used by region.cpp. Tested by tests/golden/gangs/pixels.py and tests/run/test_pixels.py.
#pragma once

#include <string>
#include <vector>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

void unroll_pixels(ir::Program& program, ir::Block& body);

// Nothing but elements of such rows are asked of them.
std::vector<Interleaved> interleaved(const ir::Block& body, const Gang& gang, const Shape& shape);

bool are_bytes(const std::vector<Interleaved>& all);

// a.shape[2] == 3 and …, and in words.
ir::Expr* have_extents(const ir::Builder& build, const std::vector<Interleaved>& all);
std::string rows_in_words(const std::vector<Interleaved>& all);

// The gang's lanes, where they know what has been asked, in front or here.
ir::Block* knowing_rows(ir::Program& program, ir::Function& f, const Gang& gang, ir::Block* lanes);

}  // namespace pyk2cu::emit
