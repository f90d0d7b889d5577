// The signature column of the registry's rows: text -> concrete overloads.
//
// In:   "float64(int64); F(F, F); cuda: F(F)" and the dialect.
// Out:  one Overload per binding of the class letters (registry.h), in the order in which NumPy and
//       Numba list their loops: int8, uint8, int16, … float32, float64, complex64, complex128.
// A tiny grammar of scalars only; users' signatures have their own parser (typeinfer/signature).
// Tested by tests/unit/typeinfer/registry_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "typeinfer/types/promote.h"

namespace pyk2cu::builtins {

struct Overload {
  std::vector<const types::Type*> params{};   // what the arguments are matched with
  std::vector<const types::Type*> compute{};  // what they are converted to; integers of F: float64
  const types::Type* result = nullptr;
};

// `widen`: F also takes int64 and uint64, which compute as float64 (FN rows; not UFUNC rows).
// On a malformed row: no overloads, and the offending text in `error` when given.
std::vector<Overload> overloads(std::string_view signature, types::Dialect dialect, bool widen,
                                std::string* error = nullptr);

}  // namespace pyk2cu::builtins
