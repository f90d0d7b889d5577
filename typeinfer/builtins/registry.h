// The builtin registry: every function and constant of the language, one row each, in *.def files.
//
// In:   a qualified Python name ("math.sqrt", "numpy.float32", "builtins.abs") and argument types.
// Out:  the row, and what it computes in: parameter types to convert the arguments to, the result
// type. Convention: Python `math.sqrt` is C++ `pyk::math::sqrt` in runtime_headers/pyk/math.h
// (MODULE rows of all.def, which also lists the columns). The signature
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

// Every row by its name: Id::math_sqrt, Id::numpy_random_seed, Id::lanes_exp.
enum class Id : uint16_t {
  none,
#define FN(module, name, ...) module##_##name,
#define UFUNC(module, name, ...) module##_##name,
#define RULE(module, name, ...) module##_##name,
#define OWN(module, name, ...) module##_##name,
#define CONST(module, name, ...) module##_##name,
#include "typeinfer/builtins/all.def"
};
enum class Module : uint8_t {
#define MODULE(id, ...) id##_,
#include "typeinfer/builtins/all.def"
};

enum Flag : uint32_t {
  kPure = 0,         // nothing but its value; never raises
  kWrites = 1,       // writes elements of its first argument
  kState = 2,        // uses or sets hidden state: random numbers
  kMeets = 4,        // threads of a block wait for one another, or see one another's stores
  kCpuOnly = 8,      // PK5xxx on the CUDA target
  kCudaOnly = 16,    // only inside cuda.jit code
  kConstant = 32,    // a module constant; `signature` is its type
  kUfunc = 64,       // applies element by element to arrays too; typed by NumPy's loop rule
  kOwn = 128,        // typed by the compiler itself, not reachable by its name
  kPlaces = 256,     // looks at where arrays lie, at no element
  kMakes = 512,      // its array has memory of its own
  kOrNone = 1024,    // which is invalid where there is no memory: MemoryError
  kKeeps = 2048,     // of what writes a list: it stays as long as it is
  kPacked = 4096,    // takes arrays whose elements are at any address
  kTyped = 8192,     // its C++ parameters have types of their own: numbers are written without one
  kDeduced = 16384,  // its arguments alone say what its C++ type is: declared with auto
  kItem = 65536,     // is what stands in a list, set or dict, or stood there
  kThreads = 32768,  // says how many threads there are, or which one this is, or how many to be
};

// What is known of a result besides its type; a float may be NaN all the same.
enum class Range : uint8_t {
  kAny,
  kNonNegative,  // of floats
  kRoot,         // likewise, 0 of 0 alone
  kUnit,         // -1 to 1
  kMagnitude,    // |x| of the argument
  kLeast,        // one of the arguments, none is less
  kGreatest,
  kBits,  // 0 to the width of the argument
};

// Computes the same at compile time.
struct Fold {
  double (*function)(double) = nullptr;  // null: does not fold
  bool exact = false;  // rounded correctly, so that float32 may be computed in double
};

struct Match {
  std::vector<const types::Type*> params{};  // convert each argument to this
  const types::Type* result = nullptr;
  std::vector<const types::Type*> type_args{};  // explicit C++ template arguments, usually none
};

// Irregular typing: a function of the argument types; nothing when they do not fit.
using Rule = std::optional<Match> (*)(std::span<const types::Type* const> args, types::Dialect);

struct Row {
  Id id = Id::none;
  Module in{};
  std::string_view name{};       // "sqrt"
  std::string_view signature{};  // "F(F)"; empty for rules
  uint32_t flags = 0;
  Rule rule = nullptr;
  double constant = 0;           // kConstant
  const char* header = nullptr;  // null: its module's
  Range range = Range::kAny;
  Id lanes = Id::none;  // what lanes call in its place; itself where there is an instruction
  Fold folds{};
  int takes = 1;  // how many arguments what lanes call has

  std::string_view module() const;  // "math", "numpy.random"
  std::string cpp_name() const;     // "pyk::math::sqrt"
  bool is_constant() const { return (flags & kConstant) != 0; }
  bool is_ufunc() const { return (flags & kUfunc) != 0; }
  bool is_own() const { return (flags & kOwn) != 0; }
  bool makes_memory() const { return (flags & kMakes) != 0; }
  bool may_lack_memory() const { return (flags & kOrNone) != 0; }
  bool writes() const { return (flags & kWrites) != 0; }
  bool changes_length() const { return writes() && (flags & kKeeps) == 0; }  // of a list
  bool is_item() const { return (flags & kItem) != 0; }
  bool asks_threads() const { return (flags & kThreads) != 0; }
  bool tells_its_type() const { return (flags & kDeduced) != 0; }
  bool takes_packed() const { return (flags & (kPacked | kPlaces)) != 0; }
  bool has_typed_parameters() const { return (flags & kTyped) != 0; }
  bool reads_elements() const { return (flags & kPlaces) == 0; }
  bool has_state() const { return (flags & (kState | kMeets)) != 0; }
  bool is_pure() const { return !writes() && !has_state(); }
};

const Row& row(Id id);
const char* header_of(const Row& row);  // "pyk/math.h": the runtime header that defines it

// "math.sqrt", "numpy.absolute"; aliases (numpy.abs, np.absolute) are resolved. Names of types
// (numpy.float32) are not here but in types::find_scalar. Null: no such name, or one of our own.
const Row* find(std::string_view qualified);

std::optional<Match> resolve(const Row& row, std::span<const types::Type* const> args,
                             types::Dialect dialect);

// Empty if every alternative of the row's signature parses, else the text that does not.
std::string check(const Row& row);

// All rows in file order: --list-builtins, did-you-mean, tests.
std::span<const Row> all();

}  // namespace pyk2cu::builtins
