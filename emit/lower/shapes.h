// Which arrays of array expressions have the same shape.
//
//   n = extent_of_both(shape0(a), shape0(b))     n = …
//   if not broadcasts(a, n) …: raise             if not …: raise
//   c = …                                        c = …
//   n_2 = extent_of_both(shape0(c), shape0(a))   # n
//   if not broadcasts(c, n_2) …: raise      ->   # cannot raise
//   c_2 = fitted(c, n_2)                         # c
//   a_3 = fitted(a, n_2)                         # a_2 = fitted(a, n)
//
// An extent is known by the set of those that it is computed from. Those of a set are the same, but
// for those that are 1, once the program has asked for that; extents of one such set are equal. A
// set of one needs no question.
//
// In:   a block.  Out: it, with each extent and each operand that was there before mentioned by the
// name that it had, and without the questions that are answered. Used by fused.cpp. Tested by
// tests/golden/passes/fused.py and tests/run/test_fused.py.
#pragma once

#include <unordered_map>

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

// `times`: how often each variable of the function is assigned.
void name_shapes(ir::Block& block, const std::unordered_map<const ir::Local*, int>& times);

}  // namespace pyk2cu::emit
