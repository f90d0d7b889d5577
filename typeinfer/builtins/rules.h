// Irregular typing of builtins: the rules that RULE rows of the *.def files name.
//
// In:   the argument types and the dialect.  Out: what to convert them to and the result type.
// Keep few: what a signature can say belongs in the table. Tested by
// tests/unit/typeinfer/registry_test.cpp.
#pragma once

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::builtins {

using Args = std::span<const types::Type* const>;
using types::Dialect;

std::optional<Match> infer_gcd(Args args, Dialect dialect);
// floor, ceil, trunc of `math`: an integer on the CPU; on CUDA the float type, asked for as the
// template argument of the C++ function.
std::optional<Match> infer_integral(Args args, Dialect dialect);
std::optional<Match> infer_abs(Args args, Dialect dialect);
std::optional<Match> infer_truth(Args args, Dialect dialect);
std::optional<Match> infer_divmod(Args args, Dialect dialect);
std::optional<Match> infer_minmax(Args args, Dialect dialect);  // two arguments or more
std::optional<Match> infer_round(Args args, Dialect dialect);
std::optional<Match> infer_same_integer(Args args, Dialect dialect);
std::optional<Match> infer_selp(Args args, Dialect dialect);

template <types::BinaryOp op>
std::optional<Match> infer_binary(Args args, Dialect dialect) {
  if (args.size() != 2) return {};
  const types::OpTypes found = types::binary(op, args[0], args[1], dialect);
  if (!found) return {};
  return Match{{found.left, found.right}, found.result, {}};
}

template <types::CompareOp op>
std::optional<Match> infer_compare(Args args, Dialect dialect) {
  if (args.size() != 2) return {};
  const types::OpTypes found = types::compare(op, args[0], args[1], dialect);
  if (!found) return {};
  return Match{{found.left, found.right}, found.result, {}};
}

template <types::UnaryOp op>
std::optional<Match> infer_unary(Args args, Dialect dialect) {
  if (args.size() != 1) return {};
  const types::UnaryTypes found = types::unary(op, args[0], dialect);
  if (!found) return {};
  return Match{{found.operand}, found.result, {}};
}

}  // namespace pyk2cu::builtins
