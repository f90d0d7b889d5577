// What can be computed in the lanes of vector registers.
//
// In:   expressions.  Out: yes or no; the forms that they have there. Tested by tests/golden/lanes
// and tests/golden/gangs.
#pragma once

#include "emit/emit.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

// Which forms of pyk/lanes a function may use.
struct Forms {
  bool libm = false;     // functions are the C library's
  bool integers = true;  // divisions and wide conversions, by the bits of floats
};
// fastmath would reassociate ours.
inline Forms forms_of(const Options& options, const ir::Function& f) {
  return {options.strict_fp || f.is_relaxed(), !f.is_relaxed()};
}

// Has it a form of its own for lanes, of the types that it is called with?
bool has_own_form(const ir::Builtin& e);
bool has_own_form(const ir::Binary& e);
bool has_own_form(const ir::Convert& e);
// Does the operation itself, operands aside, have vector instructions on every processor?
bool has_vector_form(const ir::Builtin& e, const Forms& forms);
bool has_vector_form(const ir::Binary& e, const Forms& forms);
bool has_vector_form(const ir::Convert& e, const Forms& forms);
bool has_vector_form(const ir::Update& s, const Forms& forms);
// A complex number of its parts, or one of them: loads and stores.
bool is_of_parts(const ir::Builtin& e);
bool is_conjugate(const ir::Builtin& e);
// x % 2 == 0, bool(x & 1), … of integers   ->   is_odd(x), or its negation; null: nothing of that
ir::Expr* parity(const ir::Builder& b, const ir::Expr* e);
// Of angles: all lanes at once are several times faster, since few angles are large.
bool is_of_angle(const ir::Builtin& e);
bool asks_angles(const ir::Block& body);  // of what it calls, too
// // and % of integers
bool divides_integers(const ir::Binary& e);
// ... of 64 bits: all lanes at once, since most are small; a product of two variables is not
bool divides_all(const ir::Binary& e, const Forms& forms);
// A float to the power of an integer that is no constant: by squaring, of all lanes at once
bool raises_all(const ir::Binary& e);
// Takes the form for lanes where there is one; helpers aside.
void use_own_form(ir::Expr* e, const Forms& forms);

}  // namespace pyk2cu::emit
