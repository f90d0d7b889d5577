// Folding of expressions.
#include "typeinfer/fold/value.h"

namespace pyk2cu::fold {

std::optional<Value> fold(const ast::Expr& expr, const Scope& scope) {
  if (const auto* name = ast::as<ast::Name>(expr)) {
    const Value* found = scope.find(name->id);
    if (found) return *found;
    return std::nullopt;
  }
  const auto* constant = ast::as<ast::Constant>(expr);
  if (!constant) return std::nullopt;
  Value v;
  switch (constant->value.tag) {
    case ast::ConstantValue::kInt:
      v.kind = Value::Kind::kInt;
      v.integer = constant->value.integer;
      return v;
    case ast::ConstantValue::kBool:
      v.kind = Value::Kind::kBool;
      v.integer = constant->value.boolean;
      return v;
    case ast::ConstantValue::kFloat:
      v.kind = Value::Kind::kFloat;
      v.number = constant->value.number;
      return v;
    case ast::ConstantValue::kStr:
      v.kind = Value::Kind::kStr;
      v.text = constant->value.text;
      return v;
    default:
      return std::nullopt;
  }
}

const types::Type* type_of(const Value& value) {
  if (value.kind == Value::Kind::kInt) return types::int64();
  if (value.kind == Value::Kind::kFloat) return types::float64();
  return nullptr;
}

}  // namespace pyk2cu::fold
