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

// Do lanes of a counted loop inside, counted themselves, hand on what all lanes read? Of a gang
// that is not whole that is written by scalars and read by vectors, for which processors wait.
bool hands_on_inside(const ir::Block& lanes);

// What lanes hand on from gang to gang stays in registers where all of them run. Of iterations that
// are cheap the last ones may as well run one by one.
bool is_whole(const Gang& gang, const ir::Block& body);

}  // namespace pyk2cu::emit
