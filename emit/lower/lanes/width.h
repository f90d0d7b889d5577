// How many lanes a gang has, and whether C++ had better know that all of them run.
//
// In:   the body of one iteration with its Shape; statements of a gang.  Out: Gang::width,
// Gang::mask_bits; yes or no. Tested by tests/golden/gangs.
#pragma once

#include <string>

#include "emit/lower/lanes/gang.h"

namespace pyk2cu::emit {

constexpr int kMostLanes = 64;
// Of the processor that is compiled for, or of most.
double vector_bits(const std::string& march);

// The widest elements that lanes compute with decide.
void choose_width(Gang& gang, const Shape& shape, const ir::Block& body);

// Are lanes counted where most of the work is? In loops; where there are none, in vectors of which
// it is not functions that take the time.
bool counts_inside(const ir::Block& lanes);

}  // namespace pyk2cu::emit
