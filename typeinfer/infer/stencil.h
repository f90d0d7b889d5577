// Stencils: a function of one point, called for every point that has all its neighbours.
//
//   @stencil
//   def f(a): return a[-1] + a[1]
//
//   f_point(a, i): a[i - 1] + a[i + 1]
//   f(a, out=None): out = empty(n); out[:1] = out[-1:] = cval
//                   for i in range(1, n - 1): out[i] = f_point(a, i)
//
// In:   a Definition with a Stencil, and its function of one point.  Out: the bodies of both.
// Rule: subscripts of arrays that are parameters count from the point, but those of
// `standard_indexing`. Which points have all neighbours follows from the subscripts, which are
// constant then, or from `neighborhood`. Tested by tests/run/test_stencil.py.
#pragma once

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

// The body of the function of whole arrays; what it returns.
Operand stencil(Names& names, Emitter& in);

// ---- in the function of one point --------------------------------------------------------------
// The parameters behind those of the text: the indices of the point.
void bind_point(Names& names, std::span<const Operand> args, Span span);
// The index of a subscript as the array has it.
Operand from_point(Expressions& in, const ast::Subscript& e, const Operand& index);
// Is it a store to an array that is a parameter? Reported then.
bool refuses_store(Expressions& in, const ast::Subscript& target);

}  // namespace pyk2cu::infer
