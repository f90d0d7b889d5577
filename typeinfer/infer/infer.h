// Inference: one walk over a function's syntax tree types it and builds its IR.
//
// In:   a Definition and the types of its arguments (an Instance).  Out: ir::Function.
// The walk is repeated until the types that loops feed back are stable; what earlier walks built
// and reported is thrown away. So every part simply builds IR from the types known now; a type not
// known yet is types::error() ("pending"), which absorbs everything, silently. The parts of a walk,
// each of which knows only those before it:
//   Context      what is compiled, by which rules; reports             context.h, unit.h
//   Emitter      nodes and statements of the IR, temporaries           emitter.h
//   conversions, conditions, constants: functions over values          conversions.h, …
//   Growth       what rounds of Numba's inference do to types          growth.h
//   Names        what versions of names hold                           names.h
//   Joins        where ways meet: phis, loops                          joins.h
//   Early        what Numba knows before it infers types               early.h
//   Expressions  what expressions mean (operand.h)                     expressions.h, expr.h
//   assign()     targets                                               assign.h
//   Results      what is returned                                      results.h
//   Loops, Statements                                                  loops.h, statements.h
// Tested by tests/unit/typeinfer/{infer_stmt,infer_expr}_test.cpp.
#pragma once

#include "typeinfer/infer/statements.h"

namespace pyk2cu::infer {

class Infer {
 public:
  Infer(Unit& unit, Instance& instance);
  void run();  // walks until stable; fills instance.function, result, diags

 private:
  struct Walk;

  void reset();  // what an earlier walk has left in the instance
  void walk(Walk& walk);
  void bind_params(Names& names);
  void report_unsettled(Context& context, bool runaway);
  void finish_locals();

  Unit& unit_;
  Instance& instance_;
  ir::Function& function_;
  const scope::Versions& versions_;
  Rounds rounds_{};
};

}  // namespace pyk2cu::infer
