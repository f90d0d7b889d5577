// What --keep-going has left out: "60 functions compiled, 4 left out", a line for each of the four.
//
// In:   the programs of all modules, as they were built; the messages.
// Out:  one note (PK6006), or nothing when nothing was left out.
// Tested by tests/run/test_keep_going.py.
#pragma once

#include <vector>

#include "cmd/pyk2cu/functions.h"
#include "cmd/pyk2cu/outputs.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

Diagnostics summarize(const std::vector<Made>& all, const FunctionPlaces& places,
                      const Diagnostics& said);

}  // namespace pyk2cu::cmd
