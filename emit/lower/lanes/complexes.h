// Complex numbers in lanes: a variable for the real part and one for the imaginary part.
//
//   z = z * z + c        ->   re = z_re * z_re - z_im * z_im + c_re; …
//   abs(z)               ->   hypot(z_re, z_im)
//   out[i] = z           ->   out[i] = complex(z_re, z_im)
//
// In:   the body of one iteration.  Out: it, without complex variables, of the same value to the
// last bit; unchanged where something else is done with one. Tested by tests/run/test_complexes.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

void split_complexes(ir::Program& program, ir::Function& f, ir::Block& body);

}  // namespace pyk2cu::emit
