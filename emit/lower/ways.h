// Where a walk through arrays goes on: of two places one is chosen, and read.
//
//   if x[f[k]] <= t[k]: k = left[k]
//   else: k = right[k]                 ->   k = either(x[f[k]] <= t[k], left[k], right[k])
//
// Nobody foresees which way a tree is walked that asks what lies where it is, and each turn begins
// with what the one before found. The other element is not read: it may lie outside its array.
//
// In:   a branch, or a choice that is assigned.  Out: what stands for it: Choice::kPlace. Used by
// choices.cpp. Tested by tests/golden/passes/choices.py and tests/run/test_choices.py.
#pragma once

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

bool is_way(const ir::Stmt& s);
// Null: it is none.
ir::Stmt* one_way(ir::Program& program, const ir::Stmt& s);

}  // namespace pyk2cu::emit
