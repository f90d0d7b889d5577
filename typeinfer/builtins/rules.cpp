// Irregular typing of builtins. See rules.h.
//
// In:   the argument types and the dialect.  Out: a Match, or nothing when they do not fit.
// Tested by tests/unit/typeinfer/registry_test.cpp, against Numba's own results.
#include "typeinfer/builtins/rules.h"

#include <algorithm>

namespace pyk2cu::builtins {
namespace {

using types::Dialect;
using types::Type;

bool all_scalar(Args args) {
  return std::ranges::all_of(args, [](const Type* t) { return t->is_scalar(); });
}

}  // namespace

// Equal types stay; same signedness takes the wider; else int64.
std::optional<Match> infer_gcd(Args args, Dialect) {
  if (args.empty() || !all_scalar(args)) return {};
  const Type* result = nullptr;
  for (const Type* arg : args) {
    if (!arg->is_bool() && !arg->is_int()) return {};
    const Type* type = arg->is_bool() ? types::int64() : arg;
    if (!result) {
      result = type;
    } else if (result->is_signed == type->is_signed) {
      result = result->bits >= type->bits ? result : type;
    } else {
      result = types::int64();
    }
  }
  return Match{std::vector<const Type*>(args.size(), result), result, {}};
}

std::optional<Match> infer_integral(Args args, Dialect dialect) {
  if (args.size() != 1 || !all_scalar(args) || args[0]->is_complex()) return {};
  const Type* arg = args[0];
  if (dialect.target == types::Target::kCuda) {
    const Type* type = arg->is_float() && arg->bits <= 32 ? types::float32() : types::float64();
    return Match{{type}, type, {type}};
  }
  if (arg->is_float()) return Match{{arg->bits < 32 ? types::float32() : arg}, types::int64(), {}};
  const bool is_unsigned = arg->is_int() && !arg->is_signed;
  const Type* type = is_unsigned ? types::uint64() : types::int64();
  return Match{{type}, type, {}};
}

}  // namespace pyk2cu::builtins
