// Are the items of a list of lists, sets or dicts each another one?
//
//   rows = [[] for _ in range(n)]
//   for i in prange(n):
//       rows[i].append(i)           no two iterations come to one list
//
// In:   a function and one of its locals.  Out: yes where all that the function does with lists of
// that type says so; nothing is changed. Tested by tests/run/test_updates.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

bool holds_distinct_items(const ir::Function& f, const ir::Local* lists);

}  // namespace pyk2cu::emit
