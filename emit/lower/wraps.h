// Subscripts that would count from the end if they were negative, or would not be there: asked in
// front of the loop.
//
//   for i in range(n): a[i + k] = …   ->   the condition 0 + k >= 0 and n - 1 + k >= 0
//
// In:   a loop whose index no other local of the body names.  Out: its subscripts do not wrap any
// more, where the condition holds. Tested by tests/golden/gangs/wraps.py.
#pragma once

#include <optional>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// Null: nothing to ask.
ir::Expr* take_wraps(const ir::Builder& build, ir::For& loop, const Iterations& iterations);

// hi <= len(a) for every array of which `block`, a copy of the loop's body whose index is `index`,
// reads the element of an iteration: the condition under which it is there; and likewise for what
// an iteration surely reads at `i * c + k`. Null: nothing to ask; none: nobody can say it in front
// of the loop.
std::optional<ir::Expr*> is_inside(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
                    const ir::Block& block);

}  // namespace pyk2cu::emit
