// The builtin registry: every row parses, names resolve, result types are Numba's.
//
// numba_builtins.txt holds Numba's own answers (written by numba_builtins.py).
#include "typeinfer/builtins/registry.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace pyk2cu::builtins {
namespace {

using types::Dialect;
using types::Rules;
using types::Target;
using types::Type;

std::string resolved(const std::string& name, const std::string& args, Dialect dialect = {}) {
  const Row* row = find(name);
  if (!row) return "no row";
  std::vector<const Type*> arg_types;
  std::istringstream words(args);
  for (std::string word; words >> word;) arg_types.push_back(types::find_scalar(word));
  const auto match = resolve(*row, arg_types, dialect);
  if (!match) return "no match";
  std::string text;
  for (const Type* param : match->params) text += (text.empty() ? "" : " ") + types::print(param);
  return text + " -> " + types::print(match->result);
}

TEST_CASE("every row of the registry parses and is unique") {
  std::set<std::string> names;
  for (const Row& row : all()) {
    const std::string name = std::string(row.module()) + "." + std::string(row.name);
    CHECK_MESSAGE(check(row).empty(), name, ": ", check(row));
    CHECK_MESSAGE(names.insert(name).second, name, " is there twice");
    CHECK(find(name) == (row.is_own() ? nullptr : &row));
    CHECK((row.is_own() || row.rule || !row.signature.empty()));
  }
}

TEST_CASE("aliases and prefixes find the canonical row") {
  CHECK(find("np.abs") == find("numpy.absolute"));
  CHECK(find("numpy.true_divide") == find("numpy.divide"));
  CHECK(find("numba.cuda.popc") == find("cuda.popc"));
  CHECK(find("operator.iadd") == find("operator.add"));
  CHECK(find("numpy.random.ranf") == find("numpy.random.random"));
  CHECK(find("math.nonsense") == nullptr);
}

TEST_CASE("rows name their C++ function and header by convention") {
  const struct {
    const char *name, *cpp, *header;
  } rows[] = {
      {"math.sqrt", "pyk::math::sqrt", "pyk/math.h"},
      {"numpy.sqrt", "pyk::np::sqrt", "pyk/np.h"},
      {"operator.xor", "pyk::xor_", "pyk/operator.h"},
      {"operator.and_", "pyk::and_", "pyk/operator.h"},
      {"builtins.abs", "pyk::abs", "pyk/core.h"},
      {"builtins.max", "pyk::max", "pyk/core.h"},
      {"random.random", "pyk::random::random", "pyk/random.h"},
      {"numpy.random.rand", "pyk::np::random::rand", "pyk/random.h"},
      {"cuda.popc", "pyk::cuda::popc", "pyk/intrinsics.h"},
  };
  for (const auto& row : rows) {
    REQUIRE(find(row.name));
    CHECK(find(row.name)->cpp_name() == row.cpp);
    CHECK(std::string(header_of(*find(row.name))) == row.header);
  }
}

TEST_CASE("arguments are converted to what the function computes in") {
  const struct {
    const char *name, *args, *expected;
  } rows[] = {
      {"math.sqrt", "int32", "float64 -> float64"},
      {"math.sqrt", "float32", "float32 -> float32"},
      {"math.atan2", "float32 int32", "float64 float64 -> float64"},
      {"math.copysign", "int8 int8", "float32 float32 -> float32"},
      {"math.floor", "float32", "float32 -> int64"},
      {"math.floor", "uint8", "uint64 -> uint64"},
      {"math.frexp", "float32", "float32 -> Tuple((float32, int32))"},
      {"math.log", "float64 int64", "float64 float64 -> float64"},
      {"math.gcd", "int32 uint8", "int32 int32 -> int32"},
      {"cmath.log10", "complex64", "complex128 -> complex128"},
      {"cmath.sqrt", "float64", "complex128 -> complex128"},
      {"numpy.add", "int32 float32", "float32 float32 -> float32"},
      {"numpy.divide", "int8 int8", "float32 float32 -> float32"},
      {"numpy.round", "float32", "float64 -> float64"},
      {"numpy.floor", "int32", "int32 -> int32"},
      {"numpy.sqrt", "complex64", "complex64 -> complex64"},
      {"numpy.bitwise_and", "int32 uint32", "int64 int64 -> int64"},
      {"math.sqrt", "complex64", "no match"},
      {"math.ldexp", "float64 float64", "no match"},
      {"math.sqrt", "float64 float64", "no match"},
      {"random.random", "", " -> float64"},
      {"math.pi", "", "no match"},
  };
  for (const auto& row : rows) CHECK(resolved(row.name, row.args) == row.expected);
}

TEST_CASE("CUDA and NumPy dialects differ where the tables say so") {
  const Dialect cuda{Rules::kNumba, Target::kCuda}, numpy{Rules::kNumpy, Target::kCpu};
  CHECK(resolved("math.floor", "float32", cuda) == "float32 -> float32");
  CHECK(resolved("math.ceil", "int32", cuda) == "float64 -> float64");
  CHECK(resolved("math.pow", "float32 int32", cuda) == "float32 int32 -> float32");
  const Type* arg = types::float32();
  CHECK(resolve(*find("math.floor"), {&arg, 1}, cuda)->type_args.size() == 1);
  CHECK(resolved("numpy.divide", "int8 int8", numpy) == "int8 int8 -> float64");
  CHECK(resolved("numpy.add", "int32 float32", numpy) == "float64 float64 -> float64");
  CHECK(resolved("numpy.add", "uint64 int64", numpy) == "float64 float64 -> float64");
  CHECK(resolved("numpy.round", "float32", numpy) == "float32 -> float32");
}

TEST_CASE("result types of all builtins are Numba's") {
  constexpr std::string_view kLetters = "?bhilBHILfdFD";
  const char* const names[] = {"bool",    "int8",      "int16",     "int32",  "int64",
                               "uint8",   "uint16",    "uint32",    "uint64", "float32",
                               "float64", "complex64", "complex128"};
  std::vector<const Type*> kinds;
  for (const char* name : names) kinds.push_back(types::find_scalar(name));
  const auto letter = [&](const Type* type) {
    if (type->is_tuple()) type = type->items[0];
    for (size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] == type) return kLetters[i];
    return '.';
  };
  std::ifstream file(PYK2CU_ROOT "/tests/unit/typeinfer/numba_builtins.txt");
  REQUIRE(file);
  int compared = 0;
  std::string name, expected;
  for (size_t arity = 0; file >> name >> arity >> expected;) {
    const Row* row = find(name);
    REQUIRE_MESSAGE(row, name);
    std::string got;
    for (size_t i = 0; i < expected.size(); ++i) {
      std::vector<const Type*> args{kinds[i % kinds.size()]};
      if (arity == 2) args.insert(args.begin(), kinds[i / kinds.size()]);
      const auto match = resolve(*row, args, {});
      got += match ? letter(match->result) : '.';
      if (expected[i] == '*' || expected[i] == '.') got[i] = expected[i];
      compared += expected[i] == got[i] && expected[i] != '*';
    }
    CHECK_MESSAGE(got == expected, name);
  }
  CHECK(compared > 8000);
}

}  // namespace
}  // namespace pyk2cu::builtins
