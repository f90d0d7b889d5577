// The least and the largest of all iterations of a loop, which every lane finds for its own.
//
//   best = max(best, e)   ->   all[k] = best; …all[k] = max(all[k], e)…; best = max(best, all[k])
//
// In:   a loop over gangs.  Out: what stands in front of it and behind it. Which of 0.0 and -0.0 is
// met first the lanes do not know: where that is the result, all iterations run again, one by one.
// Tested by tests/run/test_gangs.py and tests/golden/gangs/extremes.py.
#pragma once

#include "emit/lower/flow.h"
#include "emit/lower/lanes/gang.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

// Variables that every iteration adds to, which a serial loop hands on: to the gang. Of whole
// numbers lanes find their own beside floats only; alone they fill the last gang by masks.
// `any_order`: of what a parallel loop adds up; `cloner`: of the loop's body.
void take_sums(ir::Function& f, Gang& gang, const ir::For& loop, const ir::EffectAnalysis& effects,
               bool any_order, ir::Cloner& cloner);

// To fill lanes and to gather what they have found takes as long as some iterations. Null: it
// surely turns so often.
ir::Expr* turns_at_least(const ir::Builder& build, const ir::For& loop, int64_t least);

// `behind`: where a zero may have to be asked again, the loop of the iterations that fill no gang,
// from the first that `made`, over gangs, has not.
void find_extremes(const ir::Builder& build, ir::Function& f, const Gang& gang, const ir::For& made,
                   ir::Block& before, ir::Block& behind);

}  // namespace pyk2cu::emit
