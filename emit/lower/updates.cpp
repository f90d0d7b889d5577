// x = x + e   ->   x += e        a[i] = a[i] + e   ->   a(i) += e
//
// Only where C++ computes the same: its own arithmetic on the target's type, conversions that it
// makes by itself. In: a function.  Out: Facts::updates.
// Tested by tests/golden.
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::ConvertOp;
using ir::Expr;
using ir::ExprKind;
using types::Type;

namespace {

bool by_itself(const ir::Convert* c) {
  return (c->op == ConvertOp::kExact || c->op == ConvertOp::kRound || c->op == ConvertOp::kWrap) &&
         c->type->is_number() && c->operand->type->is_real();
}

const Expr* without_convert(const Expr* e) {
  while (e->kind == ExprKind::kConvert && by_itself(ir::as<ir::Convert>(e)))
    e = ir::as<ir::Convert>(e)->operand;
  return e;
}

bool may_wrap(BinaryOp op) {
  return op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kMul;
}

bool computes(const Type* type) { return type->is_float() || type->is_complex(); }

bool has_operator(const ir::Binary& e, const Facts& facts) {
  switch (e.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
      return computes(e.type) || facts.plain.count(&e) != 0;
    case BinaryOp::kDiv:
      return computes(e.type);
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod:
      return e.type->is_int() && facts.plain.count(&e) != 0;
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    default:
      return false;
  }
}

// The update that `value` makes of a target of type `type` which `is_target` recognises.
template <class IsTarget>
bool match(Expr* value, const Type* type, const Facts& facts, IsTarget is_target, bool wraps,
           Update* out) {
  if (!type->is_scalar()) return false;
  const Expr* top = value;
  if (top->kind == ExprKind::kConvert && by_itself(ir::as<ir::Convert>(top)))
    top = ir::as<ir::Convert>(top)->operand;
  if (top->kind != ExprKind::kBinary) return false;
  const auto& e = *ir::as<ir::Binary>(top);
  if (!is_target(without_convert(e.left))) return false;
  if (may_wrap(e.op) && type->is_int() && e.type->is_int() && wraps) {
    *out = {e.op, e.right, e.type != type || facts.plain.count(&e) == 0};
    return true;
  }
  if (!has_operator(e, facts)) return false;
  // The operation must be the one that C++ chooses for these operands.
  const bool same = e.type == type;
  const bool widened = e.type->is_float() && e.type->bits == 64 && e.right->type == e.type &&
                       type->is_float() && e.right->kind != ExprKind::kConvert;
  if (!same && !widened) return false;
  *out = {e.op, e.right, false};
  return true;
}

}  // namespace

void updates(ir::Function& f, Facts& facts) {
  for_each_stmt(f.body, [&](ir::Stmt* s) {
    Update update;
    if (s->kind == ir::StmtKind::kAssign) {
      auto& a = *ir::as<ir::Assign>(s);
      const auto is_target = [&](const Expr* e) { return loaded(e) == a.local; };
      if (match(a.value, a.local->type, facts, is_target, false, &update) &&
          !reads(update.value, a.local))
        facts.updates[s] = update;
    } else if (s->kind == ir::StmtKind::kStore) {
      auto& store = *ir::as<ir::Store>(s);
      const auto is_target = [&](const Expr* e) {
        if (e->kind != ExprKind::kElement) return false;
        const auto& element = *ir::as<ir::Element>(e);
        if (!same_expr(element.array, store.array)) return false;
        if (element.indices == store.indices) return true;
        for (size_t k = 0; k < store.indices->size(); ++k)
          if (!same_expr((*element.indices)[k].value, (*store.indices)[k].value)) return false;
        return true;
      };
      if (match(store.value, store.array->type->elem, facts, is_target, true, &update))
        facts.updates[s] = update;
    }
  });
}

}  // namespace pyk2cu::emit
