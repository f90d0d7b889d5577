// Iterations that end early, as blocks that are left.
//
//   for i in …: …; continue; …   ->   for i in …: while true: …; break; …; break
//
// In:   a loop and a copy of its body.  Out: the body, without Continues of the loop. Tested by
// tests/golden/gangs and tests/fuzz/gangs.py.
#pragma once

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

ir::Block* end_turns(const ir::Builder& build, const ir::For& loop, ir::Block* body);

}  // namespace pyk2cu::emit
