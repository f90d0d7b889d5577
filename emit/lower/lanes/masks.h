// How wide the masks of a gang are that its runs hand on to one another.
//
//   if cells[i] == 2: …                 bytes, compared and chosen: a byte for each lane
//   while x[i] * x[i] < 4.0: …          64 bits
//
// Vectors compare and choose elements of one width; masks of another are packed or unpacked. Masks
// that meet one another are of one width.
// In:   statements of a gang.  Out: bits for each mask. Used by lane_code.cpp. Tested by
// tests/golden/gangs and tests/run/test_masks.py.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Of the locals that are booleans. `usual`: where no other width takes far fewer instructions;
// `lanes`: of the gang.
std::unordered_map<const ir::Local*, int> mask_widths(const ir::Block& body,
                                                      const ir::LocalSet& locals, int usual,
                                                      int lanes);

}  // namespace pyk2cu::emit
