// Loops of universal functions: the function of one element, called for every element.
//
//   f(x, y)   ->   f_loop(x: T[:], y: T[:], out: T[:])
//                    for i in range(len(out)): out[i] = f(x[i], y[i])
//
// In:   ir::Ufunc, the instances of the function of one element.
// Out:  an Overload whose variants are loops: of contiguous operands, with one operand that is the
//       same for all elements, and of any strides.
// Rule: operands are views with the loop's axis in front of the core dimensions. NumPy reduces and
//       accumulates by operands that overlap: these take the last variant, which runs in order.
// Tested by tests/run/test_ufunc.py, tests/run/test_gufunc.py and tests/golden/ufuncs.
#pragma once

#include "frontend/diag/diagnostics.h"
#include "typeinfer/decorators/roots.h"
#include "typeinfer/ir/ir.h"
#include "typeinfer/signature/signature.h"

namespace pyk2cu::infer {

// False after a diagnostic: parameters that no operand can be, other than the layout says.
bool check_operands(const decorators::Definition& d, const ir::Ufunc& ufunc, Diagnostics& diags);
bool check_types(const decorators::Definition& d, const ir::Ufunc& ufunc,
                 const signature::Signature& sig, Diagnostics& diags);
bool check_result(const decorators::Definition& d, const ir::Function& core, Diagnostics& diags);

// `core`: the function of one element, and where it has arrays its variant for contiguous ones.
ir::Overload make_loops(ir::Program& program, const ir::Ufunc& ufunc, const ir::Overload& core);

}  // namespace pyk2cu::infer
