// The builtin registry: every function and constant of the language, one row each, in *.def files.
//
// In:   a qualified Python name ("math.sqrt", "numpy.float32", "builtins.abs") and argument types.
// Out:  the row, and what it computes in: parameter types to convert the arguments to, the result
// type. Convention: Python `math.sqrt` is C++ `pyk::math::sqrt` in runtime_headers/pyk/math.h;
// names of `builtins` and `operator` live in `pyk` itself; `numpy` is `pyk::np`. The signature
// column is the grammar users write, plus class letters bound consistently over one alternative: F
// float32|float64 (integers and bool become float64 in FN rows), I any integer, R = I|F, C
// complex64|complex128, X = F|C, T = R|C. Alternatives are separated by `;`, each may open with
// `cpu:`, `cuda:`, `numpy:` or `numba:` and then holds for that target or dialect only. Choice: FN
// rows by Numba's overload resolution (fewest unsafe, safe, promoting conversions; the first of
// equals), UFUNC rows by NumPy's (the first loop that the arguments cast to safely). Tested by
// tests/unit/typeinfer/registry_test.cpp (every row parses) and tests/builtins/*.cases.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "typeinfer/types/promote.h"
#include "typeinfer/types/types.h"

namespace pyk2cu::builtins {

enum Flag : uint32_t {
  kPure = 1,       // no effect, never raises
  kEffect = 2,     // writes memory or state: stands in a statement of its own
  kCpuOnly = 4,    // PK5xxx on the CUDA target
  kCudaOnly = 8,   // only inside cuda.jit code
  kConstant = 16,  // a module constant; `signature` is its type
  kUfunc = 32,     // applies element by element to arrays too; typed by NumPy's loop rule
};

struct Match {
  std::vector<const types::Type*> params{};  // convert each argument to this
  const types::Type* result = nullptr;
  std::vector<const types::Type*> type_args{};  // explicit C++ template arguments, usually none
};

// Irregular typing: a function of the argument types; nothing when they do not fit.
using Rule = std::optional<Match> (*)(std::span<const types::Type* const> args, types::Dialect);

struct Row {
  std::string_view module;     // "math"
  std::string_view name;       // "sqrt"
  std::string_view signature;  // "F(F)"; empty for rules
  uint32_t flags = 0;
  Rule rule = nullptr;
  double constant = 0;  // kConstant

  std::string cpp_name() const;  // "pyk::math::sqrt"
  std::string header() const;    // "pyk/math.h": the runtime header that defines it
  bool is_constant() const { return (flags & kConstant) != 0; }
  bool is_ufunc() const { return (flags & kUfunc) != 0; }
};

// "math.sqrt", "numpy.absolute"; aliases (numpy.abs, np.absolute) are resolved. Names of types
// (numpy.float32) are not here but in types::find_scalar. Null: no such name.
const Row* find(std::string_view qualified);

std::optional<Match> resolve(const Row& row, std::span<const types::Type* const> args,
                             types::Dialect dialect);

// Empty if every alternative of the row's signature parses, else the text that does not.
std::string check(const Row& row);

// All rows in file order: --list-builtins, SUPPORTED.md, did-you-mean, the house test.
std::span<const Row> all();

}  // namespace pyk2cu::builtins
