// The builtin registry: tables, lookup and overload resolution. See registry.h.
//
// In:   *.def files beside this one.  Out: find, resolve, all.
// Adding a function is a row in a .def file and a function in runtime_headers/pyk; nothing here.
// Tested by tests/unit/typeinfer/registry_test.cpp and tests/run/test_builtins.py.
#include "typeinfer/builtins/registry.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "typeinfer/builtins/rules.h"
#include "typeinfer/builtins/signature.h"

namespace pyk2cu::builtins {
namespace {

using types::Conversion;
using types::Type;

constexpr uint32_t Pure = kPure, Effect = kEffect, CpuOnly = kCpuOnly, CudaOnly = kCudaOnly;

struct Alias {
  std::string_view module, name, of_module, of_name;
};

// A macro argument is only stringised or used as a flag, never expanded: `and` and `abs` are safe.
constexpr Row kRows[] = {
#define FN(module, name, signature, flags) {#module, #name, signature, flags},
#define UFUNC(module, name, signature, flags) {#module, #name, signature, (flags) | kUfunc},
#define RULE(module, name, rule, flags) {#module, #name, "", flags, rule},
#define CONST(module, name, type, value) {#module, #name, type, kPure | kConstant, nullptr, value},
#define ALIAS(module, name, of_module, of_name)
#include "typeinfer/builtins/all.def"
#undef FN
#undef UFUNC
#undef RULE
#undef CONST
#undef ALIAS
};

constexpr Alias kAliases[] = {
#define FN(module, name, signature, flags)
#define UFUNC(module, name, signature, flags)
#define RULE(module, name, rule, flags)
#define CONST(module, name, type, value)
#define ALIAS(module, name, of_module, of_name) {#module, #name, #of_module, #of_name},
#include "typeinfer/builtins/all.def"
#undef FN
#undef UFUNC
#undef RULE
#undef CONST
#undef ALIAS
};

std::string qualified(std::string_view module, std::string_view name) {
  return std::string(module) + "." + std::string(name);
}

std::unordered_map<std::string, const Row*> make_index() {
  std::unordered_map<std::string, const Row*> index;
  for (const Row& row : kRows) index.emplace(qualified(row.module, row.name), &row);
  for (const Alias& alias : kAliases) {
    const auto target = index.find(qualified(alias.of_module, alias.of_name));
    if (target == index.end()) continue;  // registry_test finds it
    index.emplace(qualified(alias.module, alias.name), target->second);
  }
  return index;
}

// The overloads of one row under each of the four dialects, made when first asked for.
const std::vector<Overload>& overloads_of(const Row& row, Dialect dialect) {
  using Variants = std::array<std::optional<std::vector<Overload>>, 4>;
  static std::unordered_map<const Row*, Variants> cache;
  const int variant = int(dialect.rules) * 2 + int(dialect.target);
  auto& slot = cache[&row][variant];
  if (!slot) slot = overloads(row.signature, dialect, !row.is_ufunc());
  return *slot;
}

bool is_inexact(const Type* type) { return type->is_float() || type->is_complex(); }

Match match_of(const Overload& overload) { return {overload.compute, overload.result, {}}; }

// The ranks of a conversion sequence, worst kind first: fewer is better.
std::optional<std::array<int, 3>> rate(const Overload& overload,
                                       std::span<const Type* const> args) {
  if (overload.params.size() != args.size()) return {};
  std::array<int, 3> rating{};
  for (size_t i = 0; i < args.size(); ++i) {
    const Type *from = args[i], *to = overload.params[i];
    if (!from->is_scalar()) return {};
    if (is_inexact(from) && !is_inexact(to)) return {};  // never drop a fraction silently
    if (from->is_complex() && !to->is_complex()) return {};
    switch (types::conversion(from, to)) {
      case Conversion::kNone:
        return {};
      case Conversion::kExact:
        break;
      case Conversion::kPromote:
        ++rating[2];
        break;
      case Conversion::kSafe:
        ++rating[1];
        break;
      case Conversion::kUnsafe:
        ++rating[0];
        break;
    }
  }
  return rating;
}

std::optional<Match> best_overload(const std::vector<Overload>& candidates,
                                   std::span<const Type* const> args) {
  const Overload* best = nullptr;
  std::array<int, 3> best_rating{};
  for (const Overload& candidate : candidates) {
    const auto rating = rate(candidate, args);
    if (!rating || (best && *rating >= best_rating)) continue;
    best = &candidate;
    best_rating = *rating;
  }
  if (!best) return {};
  return match_of(*best);
}

// NumPy's rule: the first loop that every argument casts to safely. Numba lets integers become any
// float when a float is among the arguments, so that power(float32, int32) stays float32.
std::optional<Match> first_loop(const std::vector<Overload>& loops,
                                std::span<const Type* const> args, Dialect dialect) {
  const bool mixed = dialect.rules == types::Rules::kNumba &&
                     std::ranges::any_of(args, [](auto* t) { return t->is_int(); }) &&
                     std::ranges::any_of(args, is_inexact);
  const auto fits = [&](const Type* from, const Type* to) {
    if (!from->is_scalar()) return false;
    return (mixed && from->is_int() && is_inexact(to)) || types::is_safe_cast(from, to);
  };
  for (const Overload& loop : loops) {
    if (std::ranges::equal(args, loop.params, fits)) return match_of(loop);
  }
  return {};
}

constexpr std::string_view kReserved[] = {"and", "bool", "compl", "double", "float",
                                          "int", "not",  "or",    "xor"};

}  // namespace

std::string Row::cpp_name() const {
  std::string result = "pyk::";
  if (module == "numpy") {
    result += "np::";
  } else if (module == "numpy.random") {
    result += "np::random::";
  } else if (module != "builtins" && module != "operator" && module != "pyk") {
    result += std::string(module) + "::";
  }
  result += name;
  if (std::ranges::find(kReserved, name) != std::end(kReserved)) result += "_";
  return result;
}

std::string Row::header() const {
  constexpr std::string_view kOfComplex[] = {"abs", "complex", "conj", "imag", "pow", "real"};
  constexpr std::string_view kSums[] = {"dist", "fsum", "prod", "sumprod"};
  if (module == "math" && std::ranges::find(kSums, name) != std::end(kSums)) return "pyk/sums.h";
  if (module == "math" || module == "cmath") return "pyk/" + std::string(module) + ".h";
  if (module == "numpy") return "pyk/np.h";
  if (module.ends_with("random")) return "pyk/random.h";
  if (module == "operator") return "pyk/operator.h";
  if (module == "cuda") return "pyk/intrinsics.h";
  if (module == "lanes") return "pyk/lanes.h";
  if (module == "pyk") return name == "copy" ? "pyk/copy.h" : "pyk/array.h";
  const bool complex = std::ranges::find(kOfComplex, name) != std::end(kOfComplex);
  return complex ? "pyk/complex.h" : "pyk/core.h";
}

const Row* find(std::string_view name) {
  static const auto index = make_index();
  std::string key(name);
  if (key.starts_with("np.")) key = "numpy" + key.substr(2);
  if (key.starts_with("numba.cuda.")) key = key.substr(6);
  const auto found = index.find(key);
  return found == index.end() ? nullptr : found->second;
}

std::optional<Match> resolve(const Row& row, std::span<const Type* const> args, Dialect dialect) {
  if (row.is_constant()) return {};
  if (row.rule) return row.rule(args, dialect);
  const auto& candidates = overloads_of(row, dialect);
  if (row.is_ufunc()) return first_loop(candidates, args, dialect);
  return best_overload(candidates, args);
}

std::string check(const Row& row) {
  if (row.rule) return {};
  if (row.is_constant()) {
    return types::find_scalar(row.signature) ? "" : std::string(row.signature);
  }
  std::string error;
  for (const auto rules : {types::Rules::kNumba, types::Rules::kNumpy}) {
    for (const auto target : {types::Target::kCpu, types::Target::kCuda}) {
      overloads(row.signature, {rules, target}, !row.is_ufunc(), &error);
    }
  }
  return error;
}

std::span<const Row> all() { return kRows; }

}  // namespace pyk2cu::builtins
