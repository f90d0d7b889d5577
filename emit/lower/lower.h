// Lowering: what is decided before anything is printed.
//
// In:   a typed program, changed in place.  Out: Facts about it.
// lower.cpp is the list of passes. Tested by tests/golden and tests/run.
#pragma once

#include "emit/emit.h"
#include "emit/lower/facts.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::emit {

Facts lower(ir::Program& program, const Options& options, Diagnostics& diags, std::string& dumped);

// A name that no function and no array of the program has, as near to `wanted` as possible: for
// functions that passes make.
std::string unique_symbol(const ir::Program& program, std::string_view wanted);

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
