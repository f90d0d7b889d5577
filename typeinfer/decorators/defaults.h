// Defaults of parameters: their values, and the types that they give to signatures.
//
// In:   a definition.  Out: the default of its parameter k (in the order of the signature).
// Rule: a default has the type that Numba gives the value; a string is a type of its own,
//       literal('sum'), as the function is compiled for it; a type of numbers is its name.
//       An array is one for all calls, which nobody may write.
// Tested by tests/run/test_entry_defaults.py and tests/diag/PK4017, PK2055.
#pragma once

#include <optional>

#include "typeinfer/decorators/roots.h"

namespace pyk2cu::decorators {

// In the order of a signature; `*args` is one.
std::vector<Symbol> parameter_names(const Definition& definition);
int rest_of(const Definition& definition);  // the place of `*args` among them, or -1
// Null where the parameter has none.
const ast::Expr* default_of(const Definition& definition, size_t k);
std::optional<fold::Value> default_value(const Definition& definition, const ast::Expr& fallback);
// Null for what has no type as an argument.
const types::Type* type_of_default(const fold::Value& value);

// Parameters that a signature leaves out get the types of their defaults; false after PK4017.
bool add_defaults(const Definition& definition, signature::Signature& one, Diagnostics& diags);

}  // namespace pyk2cu::decorators
