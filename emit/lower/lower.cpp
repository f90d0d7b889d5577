// The passes in their order: a table of contents of what emission decides.
//
// In:   ir::Program.  Out: the program changed in place, Facts.
// Tested by tests/golden and tests/run.
#include "emit/lower/lower.h"

namespace pyk2cu::emit {

Facts lower(ir::Program& program, const Options&, Diagnostics& diags) {
  Facts facts;
  // Contiguous callers call contiguous callees.
  variants(program);
  // Proves indices non-negative and arithmetic free of overflow; drops checks that cannot fail.
  // First: the checks that it drops held temporaries apart.
  for (ir::Function* f : program.functions) ranges(program, *f, facts);
  // What cannot raise any more needs no status; its calls may stand inside expressions.
  raises(program);
  for (ir::Function* f : program.functions) {
    // x = x + e -> x += e. Before temps: an update reads its subscripts once.
    updates(*f, facts);
    // Folds temporaries used once back into the statement that uses them.
    temps(program, *f, facts);
    // prange -> parallel loops; needs final expressions to see equal subscripts.
    parallel(program, *f, facts, diags);
  }
  // Which array locals own memory, which are written through. Over all functions: callers pass on.
  owners(program, facts);
  return facts;
}

}  // namespace pyk2cu::emit
