// Reductions of slices, written as loops over their elements.
//
//   o[i] = numpy.mean(x[i:i + w])   ->   a = x[i:i + w]; total = 0
//                                        for k in range(len(a)): total += a[k]
//                                        o[i] = total / len(a)
//
// In:   a loop.  Out: it, its sums, means, variances and extremes of slices of one or two axes as
// loops. Used by slices.cpp. Tested by tests/run/test_sliding.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

// `keeps_order`: of what sums add.
void fold_slices(ir::Program& program, ir::Function& f, ir::For& loop, bool keeps_order);

// A view with a slice from somewhere or to somewhere; null: it is another expression.
const ir::View* slice_of(const ir::Expr* e);

}  // namespace pyk2cu::emit
