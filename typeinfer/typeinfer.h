// The facade of the room: collected sources in, the typed program out.
//
// In:   decorators::Sources.  Out: ir::Program with an entry per exported function that compiled; a
//       function with errors is left out, its diagnostics are reported, the others are not
//       affected.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp and everything in tests/golden.
#pragma once

#include "frontend/diag/diagnostics.h"
#include "typeinfer/decorators/roots.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::typeinfer {

ir::Program infer(const decorators::Sources& sources, Diagnostics& diags);

// One function alone, by its signatures, with what it calls. A function that only compiled code can
// call is inferred, and is no entry.
ir::Program infer_one(const decorators::Sources& sources, const decorators::Definition& definition,
                      Diagnostics& diags);

}  // namespace pyk2cu::typeinfer
