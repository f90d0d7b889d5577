// The passes in their order: a table of contents of what emission decides.
//
// In:   ir::Program.  Out: the program changed in place, Facts; `dumped`, what the program was
// after the pass of options.dump_after. Tested by tests/golden and tests/run.
#include "emit/lower/lower.h"

#include "typeinfer/ir/dump.h"

namespace pyk2cu::emit {

Facts lower(ir::Program& program, const Options& options, Diagnostics& diags, std::string& dumped) {
  Facts facts;
  const auto done = [&](std::string_view pass) {
    if (options.dump_after == pass) dumped = ir::dump(program);
  };
  if (options.strict_fp)
    for (ir::Function* f : program.functions) f->options.fastmath = false;
  // Passes and printers name functions by their symbols.
  symbols(program);
  // Contiguous callers call contiguous callees.
  variants(program);
  done("variants");
  // Proves indices non-negative and arithmetic free of overflow; drops checks that cannot fail.
  // First: the checks that it drops held temporaries apart.
  for (ir::Function* f : program.functions) ranges(program, *f, facts);
  done("ranges");
  // What cannot raise any more needs no status; its calls may stand inside expressions.
  raises(program);
  done("raises");
  // x = x + e -> x += e. Before temps: an update reads its subscripts once.
  for (ir::Function* f : program.functions) updates(*f, facts);
  done("updates");
  // Folds temporaries used once back into the statement that uses them.
  for (ir::Function* f : program.functions) temps(program, *f, facts);
  done("temps");
  // prange -> parallel loops; needs final expressions to see equal subscripts.
  for (ir::Function* f : program.functions) parallel(program, *f, facts, diags, options.strict_fp);
  done("parallel");
  // Innermost loops for vector registers. Behind parallel, which says what iterations share.
  lanes(program, facts, options.strict_fp);
  done("lanes");
  // Which array locals own memory, which are written through. Over all functions: callers pass on.
  owners(program, facts);
  done("owners");
  return facts;
}

}  // namespace pyk2cu::emit
