// The builtin registry: tables, lookup and overload resolution. See registry.h.
//
// In:   *.def files beside this one.  Out: find, resolve, all.
// Adding a function is a row in a .def file and a function in runtime_headers/pyk; nothing here.
// Tested by tests/unit/typeinfer/registry_test.cpp and tests/run/test_builtins.py.
#include "typeinfer/builtins/registry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "typeinfer/builtins/rules.h"
#include "typeinfer/builtins/signature.h"

namespace pyk2cu::builtins {
namespace {

using types::Conversion;
using types::Type;

// The words of the tables.
constexpr uint32_t Pure = kPure, Writes = kWrites, Keeps = kKeeps, Places = kPlaces, State = kState,
                   Meets = kMeets, CpuOnly = kCpuOnly, CudaOnly = kCudaOnly, Makes = kMakes,
                   OrNone = kOrNone, Packed = kPacked, Typed = kTyped, Deduced = kDeduced,
                   Threads = kThreads, Item = kItem;
constexpr Range NonNegative = Range::kNonNegative, Root = Range::kRoot, Unit = Range::kUnit,
                Magnitude = Range::kMagnitude, Least = Range::kLeast, Greatest = Range::kGreatest,
                Bits = Range::kBits;
constexpr bool Exact = true;

struct ModuleRow {
  std::string_view python, cpp;
  const char* header;
};
constexpr ModuleRow kModules[] = {
#define MODULE(id, python, cpp, header) {python, cpp, header},
#include "typeinfer/builtins/all.def"
};

struct Alias {
  Module in;
  std::string_view name;
  Id of;
};

// `which` is only pasted or stringised, never expanded: `and` and `abs` are safe. What a row says
// of itself comes last.
#define ROW(module, which) .id = Id::module##_##which, .in = Module::module##_, .name = #which
const Row kRows[] = {
#define FN(module, which, sig, bits, ...) \
  {ROW(module, which), .signature = sig, .flags = bits __VA_OPT__(, ) __VA_ARGS__},
#define UFUNC(module, which, sig, bits, ...) \
  {ROW(module, which), .signature = sig, .flags = (bits) | kUfunc __VA_OPT__(, ) __VA_ARGS__},
#define RULE(module, which, how, bits, ...) \
  {ROW(module, which), .flags = bits, .rule = how __VA_OPT__(, ) __VA_ARGS__},
#define OWN(module, which, bits, ...) \
  {ROW(module, which), .flags = (bits) | kOwn __VA_OPT__(, ) __VA_ARGS__},
#define CONST(module, which, type, value) \
  {ROW(module, which), .signature = type, .flags = kConstant, .constant = value},
#include "typeinfer/builtins/all.def"
};

constexpr Alias kAliases[] = {
#define ALIAS(module, name, of_module, of_name) \
  {Module::module##_, #name, Id::of_module##_##of_name},
#include "typeinfer/builtins/all.def"
};

const ModuleRow& module_row(Module module) { return kModules[size_t(module)]; }

std::string qualified(Module module, std::string_view name) {
  return std::string(module_row(module).python) + "." + std::string(name);
}

std::unordered_map<std::string, const Row*> make_index() {
  std::unordered_map<std::string, const Row*> index;
  for (const Row& row : kRows)
    if (!row.is_own()) index.emplace(qualified(row.in, row.name), &row);
  for (const Alias& alias : kAliases)
    index.emplace(qualified(alias.in, alias.name), &row(alias.of));
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

const Row& row(Id id) { return kRows[size_t(id) - 1]; }

std::string_view Row::module() const { return module_row(in).python; }

std::string Row::cpp_name() const {
  std::string result = std::string(module_row(in).cpp) + "::" + std::string(name);
  if (std::ranges::find(kReserved, name) != std::end(kReserved)) result += "_";
  return result;
}

const char* header_of(const Row& row) {
  return row.header ? row.header : module_row(row.in).header;
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
  if (row.is_constant() || row.is_own()) return {};
  if (row.rule) return row.rule(args, dialect);
  const auto& candidates = overloads_of(row, dialect);
  if (row.is_ufunc()) return first_loop(candidates, args, dialect);
  return best_overload(candidates, args);
}

std::string check(const Row& row) {
  if (row.rule || row.is_own()) return {};
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
