// pyk2cu record: runs the user's program once and writes down for which types Numba compiles.
//
// In:   a command, the sidecar.  Out: the sidecar with what is new; the program's exit code.
// Rule: the program runs as it would without us, on our input and output; a Python file on
//       PYTHONPATH (cmd/recorder) notes the types in every process of it. 127 when it cannot be
//       started, 3 when the sidecar cannot be written.
// Tested by tests/run/test_record.py.
#pragma once

#include "cmd/pyk2cu/options.h"

namespace pyk2cu::cmd {

int record(const RecordOptions& options);

}  // namespace pyk2cu::cmd
