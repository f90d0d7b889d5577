// What literals say about loops: see entered.h.
#include "typeinfer/scope/entered.h"

namespace pyk2cu::scope {

// Does `range(3)` or `range(2, 5)`, spelled with literals, surely yield something?
bool surely_iterates(const ast::Expr* iter) {
  const auto* call = ast::as<ast::Call>(iter);
  const auto* name = call ? ast::as<ast::Name>(call->func) : nullptr;
  if (!name || (name->id != "range" && name->id != "prange")) return false;
  uint64_t bounds[2] = {0, 0};
  if (call->args.empty() || call->args.size() > 2) return false;
  for (size_t i = 0; i < call->args.size(); ++i) {
    const auto* literal = ast::as<ast::Constant>(call->args[i]);
    if (!literal || literal->value.tag != ast::ConstantValue::kInt) return false;
    bounds[i + 2 - call->args.size()] = literal->value.integer;
  }
  return bounds[0] < bounds[1];
}

bool is_true(const ast::Expr* test) {
  const auto* literal = ast::as<ast::Constant>(test);
  if (!literal) return false;
  return literal->value.tag == ast::ConstantValue::kBool  ? literal->value.boolean
         : literal->value.tag == ast::ConstantValue::kInt ? literal->value.integer != 0
                                                          : false;
}

std::optional<double> literal_number(const ast::Expr* e) {
  const auto* literal = ast::as<ast::Constant>(e);
  if (!literal) return {};
  if (literal->value.tag == ast::ConstantValue::kInt) return double(literal->value.integer);
  if (literal->value.tag == ast::ConstantValue::kFloat) return literal->value.number;
  return {};
}

bool literals_compare(ast::CompareOperator op, double left, double right) {
  switch (op) {
    case ast::CompareOperator::kLt:
      return left < right;
    case ast::CompareOperator::kLtE:
      return left <= right;
    case ast::CompareOperator::kGt:
      return left > right;
    case ast::CompareOperator::kGtE:
      return left >= right;
    case ast::CompareOperator::kEq:
      return left == right;
    case ast::CompareOperator::kNotEq:
      return left != right;
    default:
      return false;
  }
}

}  // namespace pyk2cu::scope
