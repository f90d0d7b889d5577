// What an iteration hands on to a later one through memory.
//
//   for x in range(w - 1):
//     error = row[x] - (255.0 if row[x] > 127.0 else 0.0)
//     row[x + 1] += error                    # which the next iteration reads: it waits for `error`
//
// In:   a counted loop, and variables of its body.  Out: yes or no, no where it is not known.
// Tested by tests/golden/passes/choices.py and tests/run/test_diffusion.py.
#pragma once

#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Is one of the values stored where a later iteration of the loop reads it computed from these?
bool hands_on(const ir::For& loop, const ir::LocalSet& locals);

}  // namespace pyk2cu::emit
