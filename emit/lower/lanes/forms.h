// What can be computed in the lanes of vector registers.
//
// In:   expressions.  Out: yes or no; the forms that they have there. Tested by tests/golden/lanes
// and tests/golden/gangs.
#pragma once

#include "emit/emit.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Are functions the C library's? fastmath would reassociate ours.
inline bool wants_libm(const Options& options, const ir::Function& f) {
  return options.strict_fp || f.options.fastmath;
}

// Has the function a form of its own for lanes, of the type that it is called with?
bool has_own_form(const ir::Builtin& e);
// Does the operation itself, operands aside, have vector instructions on every processor?
// `libm`: functions are the C library's.
bool has_vector_form(const ir::Builtin& e, bool libm);
bool has_vector_form(const ir::Binary& e);
bool has_vector_form(const ir::Convert& e);
bool has_vector_form(const ir::Update& s);
// Of angles: all lanes at once are several times faster, since few angles are large.
bool is_of_angle(const ir::Builtin& e);
// Takes the form for lanes where there is one; helpers aside.
void use_own_form(ir::Expr* e, bool libm);

}  // namespace pyk2cu::emit
