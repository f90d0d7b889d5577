// Irregular typing of builtins: the rules that RULE rows of the *.def files name.
//
// In:   the argument types and the dialect.  Out: what to convert them to and the result type.
// Keep few: what a signature can say belongs in the table. Tested by
// tests/unit/typeinfer/registry_test.cpp.
#pragma once

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::builtins {

using Args = std::span<const types::Type* const>;

std::optional<Match> infer_gcd(Args args, types::Dialect dialect);
// floor, ceil, trunc of `math`: an integer on the CPU; on CUDA the float type, asked for as the
// template argument of the C++ function.
std::optional<Match> infer_integral(Args args, types::Dialect dialect);

}  // namespace pyk2cu::builtins
