// Operands: see operand.h. Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#include "typeinfer/infer/operand.h"

#include <algorithm>
#include <type_traits>

namespace pyk2cu::infer {

std::span<Operand> Operand::parts() {
  return std::visit(
      [](auto& state) -> std::span<Operand> {
        if constexpr (requires { state.parts; }) return state.parts;
        return {};
      },
      meaning);
}

std::span<const Operand> Operand::parts() const { return const_cast<Operand*>(this)->parts(); }

const Type* argument_type(const Operand& o) {
  if (o.is_value()) return o.type();
  if (o.is<None>()) return types::none();
  return o.is<Str>() ? types::literal(Symbol(o.as<Str>().text)) : nullptr;
}

Operand to_operand(ir::Expr* value) {
  const Type* type = value->type;
  if (type->is_error()) return {Error{}, value->span};
  if (type->kind == types::Kind::kNone || type->kind == types::Kind::kVoid)
    return {None{}, value->span};
  const ir::Const* constant = ir::try_as<ir::Const>(value);
  if (type->kind == types::Kind::kStr && constant) return {Str{constant->value.text}, value->span};
  return {Value(value), value->span};
}

std::span<const Operand> defaults_of(const Operand& function) {
  const auto* closure = static_cast<const Closure*>(function.as<Function>().definition);
  const std::span<const Operand> parts = function.parts();
  return parts.subspan(parts.empty() ? 0 : closure->captures.size());
}

bool has_values(std::span<const Operand> operands) {
  bool any = false;
  for (Operand o : operands)
    for_each_value(
        o, [&](const Value& value) { any = any || value.expr->kind != ir::ExprKind::kConst; });
  return any;
}

size_t count_leaves(const Operand& o) {
  size_t count = o.is_value() ? o.type()->leaves : 1;
  for (const Operand& part : o.parts()) count += count_leaves(part);
  return count;
}

bool holds_generated(const Operand& o) {
  return o.is<Generated>() || std::ranges::any_of(o.parts(), holds_generated);
}

bool has_error(const Operand& o) {
  const std::span<const Operand> parts = o.parts();
  return o.is_error() || std::any_of(parts.begin(), parts.end(), has_error);
}

}  // namespace pyk2cu::infer
