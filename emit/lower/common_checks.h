// Checks that all iterations of a loop have in common.
//
//   for i …: if n == 0: raise …; …   ->   n == 0; for i …: …
//
// In:   the body of an iteration, the loop's index.  Out: the body without them; their conditions
// in the order of the source, each once, of what is known in front of the loop and without effects.
// Where one of them holds, the loop as it was has to run. Tested by tests/golden/lanes,
// tests/golden/gangs and tests/run/test_common_checks.py.
#pragma once

#include <vector>

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

std::vector<ir::Expr*> take_common_checks(ir::Program& program, ir::Block& body,
                                          const ir::Local* index);

}  // namespace pyk2cu::emit
