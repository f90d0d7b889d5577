// Qualified names: where a dotted Python name really leads, and what `import *` brings in.
//
// In:   "numbapro.jit", "numba.core.types.float32", the module of a star import.
// Out:  the one spelling that the rest of the compiler knows ("numba.jit", "numba.types.float32");
//       the names that need no import.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyk2cu::decorators {

// "numbapro.cuda.jit" -> "numba.cuda.jit"; unknown ones are returned as they are.
std::string canonical(std::string_view dotted);

// The public names of a module known to the compiler that `from m import *` binds; empty: unknown.
std::vector<std::string_view> star_names(std::string_view module);

}  // namespace pyk2cu::decorators
