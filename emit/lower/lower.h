// Lowering: what is decided before anything is printed.
//
// In:   a typed program, changed in place.  Out: Facts about it.
// lower.cpp is the list of passes. Tested by tests/golden and tests/run.
#pragma once

#include "emit/emit.h"
#include "emit/lower/facts.h"
#include "emit/text/names.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::emit {

Facts lower(ir::Program& program, const Options& options, Diagnostics& diags, std::string& dumped);

// All names of functions and arrays: for those that are made later.
NameScope symbols_of(const ir::Program& program);

// ---- the passes, one file each -----------------------------------------------------------------
void symbols(ir::Program& program);
void ranges(ir::Program& program, ir::Function& f, Facts& facts);
void variants(ir::Program& program);
void raises(ir::Program& program);
void updates(ir::Function& f, Facts& facts);
void temps(ir::Program& program, ir::Function& f, Facts& facts);
void owners(ir::Program& program, Facts& facts);
void parallel(ir::Program& program, ir::Function& f, Facts& facts, Diagnostics& diags,
              bool strict_fp);
void lanes(ir::Program& program, Facts& facts, bool strict_fp);

}  // namespace pyk2cu::emit
