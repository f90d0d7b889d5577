// Where a walk through arrays goes on: of two places one is chosen, and read.
//
//   if x[f[k]] <= t[k]: k = left[k]
//   else: k = right[k]                 ->   k = either(x[f[k]] <= t[k], left[k], right[k])
//
// Nobody foresees which way a tree is walked that asks what lies where it is, and each turn begins
// with what the one before found. The other element is not read: it may lie outside its array.
//
// In:   a branch.  Out: what stands for it: Choice::kPlace. Used by choices.cpp. Tested by
// tests/golden/passes/choices.py and tests/run/test_choices.py.
#pragma once

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

bool is_way(const ir::If& branch);
// Null: it is no such branch.
ir::Stmt* one_way(ir::Program& program, const ir::If& branch);

}  // namespace pyk2cu::emit
