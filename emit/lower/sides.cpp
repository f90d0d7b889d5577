// The questions of sides.h, answered by the operations themselves.
//
// In, out: see sides.h. Tested by tests/golden/passes/choices.py and
// tests/golden/passes/compactions.py.
#include "emit/lower/sides.h"

#include "emit/lower/blends.h"
#include "emit/lower/evaluated.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

static bool is_simple(const Binary& b) {
  switch (b.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    case BinaryOp::kFloorDiv:
      return ir::is_int_const(b.right, 2);
    default:
      return false;
  }
}

bool Sides::cheap(const Expr* e) {
  if (!is_number(e->type)) return false;
  if (ir::loaded(e) || ir::constant(e)) return true;
  if (const auto* element = ir::try_as<ir::Element>(e))
    return !ir::reads_any(e, assigned) &&
           (is_evaluated_in(condition, e) || (is_inside && is_inside(*element)));
  ++operations;
  const auto* b = ir::try_as<Binary>(e);
  const auto* c = ir::try_as<ir::Convert>(e);
  bool simple = b   ? is_simple(*b)
                : c ? c->op != ir::ConvertOp::kTrunc
                    : e->kind == ir::ExprKind::kUnary;
  ir::for_each_operand(e, [&](const Expr* part) { simple = simple && cheap(part); });
  return simple;
}

bool Sides::cheap_condition(const Expr* e) {
  if (const auto* c = ir::try_as<ir::Compare>(e))
    return ++operations, cheap(c->left) && cheap(c->right);
  const auto* u = ir::try_as<ir::Unary>(e);
  if (!e->type->is_bool()) return false;
  if (ir::loaded(e) || ir::constant(e)) return true;
  if (e->kind != ir::ExprKind::kLogical && !(u && u->op == ir::UnaryOp::kNot)) return false;
  bool simple = true;
  ir::for_each_operand(e, [&](const Expr* part) { simple = simple && cheap_condition(part); });
  return simple;
}

bool hangs_on_data(const Expr* condition, const Stmt& loop) {
  if (ir::reads_memory(condition)) return true;
  const auto* each = ir::try_as<ir::ForEach>(&loop);
  bool found = each && ir::reads(condition, each->item);
  ir::for_each_block(&loop, [&](const Block& body) {
    ir::for_each_stmt(body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      found = found || (a && ir::reads_memory(a->value) && ir::reads(condition, a->local));
    });
  });
  return found;
}

}  // namespace pyk2cu::emit
