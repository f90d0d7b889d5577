// Checks the invariants of ir.h; a violation is a bug of the compiler (PK9001 with the Python
// span).
//
// In:   a program.  Out: true when it holds; else each violation is reported.
// Tested by tests/unit/typeinfer/verify_test.cpp; runs after inference and after every pass.
#pragma once

#include <string_view>

#include "frontend/diag/diagnostics.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::ir {

// `after`: the name of the pass that made the program, for the message.
bool verify(const Program& program, std::string_view after, Diagnostics& diags);

}  // namespace pyk2cu::ir
