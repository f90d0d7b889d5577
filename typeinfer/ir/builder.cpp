// Constants and conditions: see builder.h.
//
// Only NaN makes `not a < b` differ from `a >= b`: comparisons of integers are turned round.
// Tested by tests/unit/typeinfer/ir_test.cpp.
#include "typeinfer/ir/builder.h"

#include "typeinfer/ir/walk.h"

namespace pyk2cu::ir {

namespace {

bool truth(const Const& c) { return c.value.integer != 0; }

}  // namespace

Local* Builder::temp(std::string_view stem, const Type* type) const {
  auto* local = program.make<Local>();
  local->name = Symbol(stem);
  local->type = type;
  local->span = span;
  local->is_temp = true;
  return local;
}

namespace {

int significant_bits(const Type* t) {  // integers that the type holds exactly
  if (t->is_bool()) return 1;
  if (t->is_int()) return t->bits - (t->is_signed ? 1 : 0);
  const int bits = t->is_complex() ? t->bits / 2 : t->bits;
  return bits == 64 ? 53 : bits == 32 ? 24 : 11;
}

}  // namespace

ConvertOp conversion(const Type* from, const Type* to) {
  if (to->is_bool()) return ConvertOp::kTruth;
  if (to->is_int()) {
    if (from->is_float()) return ConvertOp::kTrunc;
    const bool sign_kept = to->is_signed || !from->is_signed;
    return sign_kept && significant_bits(from) <= significant_bits(to) ? ConvertOp::kExact
                                                                       : ConvertOp::kWrap;
  }
  return significant_bits(from) <= significant_bits(to) ? ConvertOp::kExact : ConvertOp::kRound;
}

Expr* Builder::integer(int64_t value, const Type* type) const {
  Value v;
  v.kind = Value::Kind::kInt;
  v.integer = value;
  return expr<Const>(type, v);
}

Expr* Builder::boolean(bool value) const {
  Value v;
  v.kind = Value::Kind::kBool;
  v.integer = value;
  return expr<Const>(types::boolean(), v);
}

Expr* Builder::zero(const Type* type) const {
  if (type->is_bool()) return boolean(false);
  return type->is_int() ? integer(0, type) : floating(0, type);
}

Expr* Builder::floating(double value, const Type* type) const {
  Value v;
  v.kind = type->is_complex() ? Value::Kind::kComplex : Value::Kind::kFloat;
  v.number = value;
  return expr<Const>(type, v);
}

Expr* Builder::text(std::string_view utf8) const {
  Value v;
  v.kind = Value::Kind::kStr;
  v.text = program.keep(utf8);
  return expr<Const>(types::str(), v);
}

Expr* Builder::format(std::string_view utf8, size_t count) const {
  Value v;
  v.kind = Value::Kind::kFormat;
  v.text = program.keep(utf8);
  v.integer = int64_t(count);
  return expr<Const>(types::str(), v);
}

CompareOp opposite(CompareOp op) {
  switch (op) {
    case CompareOp::kEq:
      return CompareOp::kNe;
    case CompareOp::kNe:
      return CompareOp::kEq;
    case CompareOp::kLt:
      return CompareOp::kGe;
    case CompareOp::kLe:
      return CompareOp::kGt;
    case CompareOp::kGt:
      return CompareOp::kLe;
    case CompareOp::kGe:
      return CompareOp::kLt;
  }
  return op;
}

Expr* Builder::negated(Expr* condition) const {
  if (const Const* c = constant(condition)) return boolean(!truth(*c));
  if (const Unary* u = try_as<Unary>(condition); u && u->op == UnaryOp::kNot) return u->operand;
  if (const Compare* c = try_as<Compare>(condition)) {
    const bool equality = c->op == CompareOp::kEq || c->op == CompareOp::kNe;
    if (equality || c->left->type->is_int()) return compare(opposite(c->op), c->left, c->right);
  }
  return expr<Unary>(types::boolean(), UnaryOp::kNot, condition);
}

Expr* Builder::logical(bool is_and, Expr* left, Expr* right) const {
  if (const Const* c = constant(left)) return truth(*c) == is_and ? right : left;
  if (const Const* c = constant(right); c && truth(*c) != is_and) return right;
  return expr<Logical>(types::boolean(), is_and, left, right);
}

Expr* Builder::extent(Expr* array, int axis) const {
  Local* local = loaded(array);
  Local* from = local ? local->shaped_as(axis) : nullptr;
  return expr<Query>(types::int64(), QueryOp::kShape, from == local ? array : load(from), axis);
}

}  // namespace pyk2cu::ir
