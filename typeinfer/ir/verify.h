// Checks the invariants of ir.h.
//
// In:   a program and the name of the stage that made it.  Out: true, or PK9xxx diagnostics that
// say which node broke which invariant. After inference and, where `verify` is asked for (the tests
// do), after every pass. Tested by tests/unit/typeinfer/verify_test.cpp.
#pragma once

#include <string_view>

#include "frontend/diag/diagnostics.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::ir {

bool verify(const Program& program, std::string_view after, Diagnostics& diags);

}  // namespace pyk2cu::ir
