// Irregular typing of builtins. See rules.h.
//
// In:   the argument types and the dialect.  Out: a Match, or nothing when they do not fit.
// Tested by tests/unit/typeinfer/registry_test.cpp, against Numba's own results.
#include "typeinfer/builtins/rules.h"

#include <algorithm>

namespace pyk2cu::builtins {
namespace {

using types::Type;

bool all_scalar(Args args) {
  return std::ranges::all_of(args, [](const Type* t) { return t->is_scalar(); });
}

}  // namespace

// The wider of two types that holds both; int64 where neither does. A bool takes the other's type.
std::optional<Match> infer_gcd(Args args, Dialect) {
  if (args.empty() || !all_scalar(args)) return {};
  const Type* result = nullptr;
  for (const Type* arg : args) {
    if (!arg->is_bool() && !arg->is_int()) return {};
    if (arg->is_bool()) continue;
    if (!result) {
      result = arg;
      continue;
    }
    const Type* narrow = result->bits < arg->bits ? result : arg;
    const Type* wide = narrow == arg ? result : arg;
    const bool holds =
        narrow->is_signed == wide->is_signed || (wide->is_signed && narrow->bits < wide->bits);
    result = holds ? wide : types::int64();
  }
  if (!result) result = types::int64();
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

std::optional<Match> infer_abs(Args args, Dialect dialect) {
  if (args.size() != 1 || !args[0]->is_scalar()) return {};
  const Type* arg = args[0];
  if (arg->is_complex()) return Match{{arg}, types::component(arg), {}};
  if (!arg->is_bool()) return Match{{arg}, arg, {}};
  const Type* type = dialect.rules == types::Rules::kNumba ? types::integer(8, true) : arg;
  return Match{{type}, type, {}};
}

std::optional<Match> infer_truth(Args args, Dialect) {
  if (args.size() != 1 || !args[0]->is_scalar()) return {};
  return Match{{args[0]}, types::boolean(), {}};
}

// As //, except that uint64 beside a signed integer computes in float64, and that a bool
// beside an unsigned integer counts as unsigned.
std::optional<Match> infer_divmod(Args args, Dialect dialect) {
  auto match = infer_binary<types::BinaryOp::kFloorDiv>(args, dialect);
  if (!match) return {};
  const auto is_uint64 = [](const Type* t) { return t == types::uint64(); };
  const auto is_signed = [](const Type* t) { return t->is_int() && t->is_signed; };
  if (dialect.rules == types::Rules::kNumba &&
      ((is_uint64(args[0]) && is_signed(args[1])) || (is_uint64(args[1]) && is_signed(args[0])))) {
    match = Match{{types::float64(), types::float64()}, types::float64(), {}};
  }
  const auto is_unsigned = [](const Type* t) { return t->is_int() && !t->is_signed; };
  if (dialect.rules == types::Rules::kNumba && ((is_unsigned(args[0]) && args[1]->is_bool()) ||
                                                (is_unsigned(args[1]) && args[0]->is_bool()))) {
    match = Match{{types::uint64(), types::uint64()}, types::uint64(), {}};
  }
  match->result = types::tuple({match->result, match->result});
  return match;
}

std::optional<Match> infer_minmax(Args args, Dialect dialect) {
  if (args.size() < 2 || !all_scalar(args)) return {};
  const Type* result = args[0];
  for (const Type* arg : args.subspan(1)) {
    result = types::unify(result, arg, dialect);
    if (!result) return {};
  }
  if (result->is_complex()) return {};
  return Match{std::vector<const Type*>(args.size(), result), result, {}};
}

// round(x) is int64. round(x, n) keeps a float's type; Numba makes floats of integers first.
std::optional<Match> infer_round(Args args, Dialect dialect) {
  if (args.empty() || args.size() > 2 || !all_scalar(args) || args[0]->is_complex()) return {};
  const bool is_numba = dialect.rules == types::Rules::kNumba;
  const Type* number = args[0];
  if (number->is_bool() && !is_numba) number = types::int64();
  if (args.size() == 1) {
    if (!number->is_float() && is_numba) number = types::int64();
    return Match{{number}, number->is_float() ? types::int64() : number, {}};
  }
  if (!args[1]->is_int() && !args[1]->is_bool()) return {};
  if (!number->is_float() && is_numba) {
    number = types::binary(types::BinaryOp::kMul, number, types::float32(), dialect).result;
  }
  return Match{{number, types::int64()}, number, {}};
}

std::optional<Match> infer_same_integer(Args args, Dialect) {
  if (args.size() != 1 || !(args[0]->is_int() || args[0]->is_bool())) return {};
  const Type* type = args[0]->is_bool() ? types::int32() : args[0];
  return Match{{type}, type, {}};
}

std::optional<Match> infer_selp(Args args, Dialect dialect) {
  if (args.size() != 3 || !all_scalar(args)) return {};
  const Type* result = types::unify(args[1], args[2], dialect);
  if (!result) return {};
  return Match{{types::boolean(), result, result}, result, {}};
}

}  // namespace pyk2cu::builtins
