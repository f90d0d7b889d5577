// One loop on its way to a gang: may it be done, does it pay, and the loop over gangs.
//
// In:   a counted loop.  Out: a loop over gangs of its iterations with what has to hold for it, or
// why not. Tested by tests/golden/gangs, tests/run/test_gangs.py and tests/run/test_loop_report.py.
#pragma once

#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes/safe_loads.h"
#include "emit/lower/lanes/words.h"
#include "emit/lower/lower.h"
#include "emit/lower/notes.h"

namespace pyk2cu::emit {

struct GangLoop {
  // The loop over gangs, with what comes in front of it and behind it; null: it stays as it is.
  ir::Block* block = nullptr;
  ir::Expr* condition = nullptr;  // what must hold for it; null: nothing
  ir::Expr* many = nullptr;       // it turns often enough; null: who cares
  bool is_dense = false;          // elements of all lanes lie side by side
  double share = 1;   // about what it takes of the time of one iteration after the other
  double alone = 0;   // cycles of one of these; 0: nobody asked
  Verdict verdict{};  // why not, or how
};

// `straight`: of straight code too.
GangLoop gang_loop(ir::Program& program, ir::Function& f, ir::For& loop,
                   const ir::EffectAnalysis& effects, const Outside& outside,
                   const Options& options, bool straight);
// Of a loop of a tile, whose iterations are independent: gangs that hold what they compute in
// registers.
GangLoop gang_of_tile(ir::Program& program, ir::Function& f, ir::For& loop,
                      const ir::EffectAnalysis& effects, const Options& options);

}  // namespace pyk2cu::emit
