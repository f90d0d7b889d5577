// Complex numbers in lanes: a variable for the real part and one for the imaginary part.
//
//   z = z * z + c        ->   re = z_re * z_re - z_im * z_im + c_re; …
//   abs(z)               ->   hypot(z_re, z_im)
//   out[i] = z           ->   out[i] = complex(z_re, z_im)
//
// In:   the body of one iteration, or statements around a loop.  Out: they, without the complex
// variables that they assign, of the same value to the last bit; unchanged where something else is
// done with one. Tested by tests/run/test_complexes.py and tests/run/test_totals.py.
#pragma once

#include "typeinfer/ir/ir.h"
#include "typeinfer/ir/local_set.h"

namespace pyk2cu::emit {

// Is one an argument of a function that lanes compute of its parts?
bool has_functions_of_parts(const ir::Block& body);
// whole: variables that stay what they are. Are there others, and are they split?
bool split_complexes(ir::Program& program, ir::Function& f, ir::Block& body,
                     const ir::LocalSet& whole = {});

}  // namespace pyk2cu::emit
