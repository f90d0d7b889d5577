// Subscripts that would count from the end if they were negative, or would not be there: asked in
// front of the loop.
//
//   for i in range(n): a[i + k] = …   ->   the condition 0 + k >= 0 and n - 1 + k >= 0
//
// In:   a loop whose index no other local of the body names.  Out: its subscripts do not wrap any
// more, where the condition holds. Tested by tests/golden/gangs/wraps.py.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

// Null: nothing to ask.
ir::Expr* take_wraps(const ir::Builder& build, ir::For& loop, const Iterations& iterations);

// hi <= len(a) for every array of which `block`, a copy of the loop's body whose index is `index`,
// reads the element of an iteration: the condition under which it is there; and likewise for what
// an iteration surely reads at `i * c + k`. Null: nothing to ask; none: nobody can say it in front
// of the loop.
std::optional<ir::Expr*> is_inside(const ir::Builder& build, const ir::For& loop,
                                   const ir::Local* index, const ir::Block& block);

// Likewise for some elements of it: conditions, where all of them hold every iteration may read
// those. Elements of which nobody can say it are taken out of the list.
std::vector<ir::Expr*> are_there(const ir::Builder& build, const ir::For& loop,
                                 const ir::Local* index, const ir::Block& block,
                                 std::vector<ir::Element*>& elements);

// What is_inside() cannot ask is asked where it is read: the element of another iteration than that
// which the source reaches may not be there. `varies`: not the same for all iterations.
//
//   x[idx[i]]   ->   x[idx[i]] if 0 <= idx[i] and idx[i] < len(x) else 0
void ask_there(const ir::Builder& build, const ir::For& loop, const ir::Local* index,
               ir::Block& block, const std::function<bool(const ir::Expr*)>& varies);

}  // namespace pyk2cu::emit
