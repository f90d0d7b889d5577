// Which loops add up small numbers, in few bits at a time: see blocks.cpp.
//
// In:   the body of a loop.  Out: the innermost loops in it, where all of them are such. Used by
// lanes/region.cpp: long rows fill vectors by themselves. Tested by tests/run/test_short_sums.py.
#pragma once

#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

std::vector<const ir::For*> short_sums(ir::Program& program, ir::Function& f,
                                       const ir::Block& body);

}  // namespace pyk2cu::emit
