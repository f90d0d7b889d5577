// Questions about pieces of IR that several passes ask: see walk.h.
//
// In:   expressions and blocks.  Out: yes or no, conservative where it matters.
// Tested by every pass's tests.
#include "emit/lower/walk.h"

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::StmtKind;

bool reads(Expr* e, const ir::Local* local) {
  bool found = false;
  for_each_subexpr(e, [&](Expr* part) { found = found || loaded(part) == local; });
  return found;
}

namespace {

bool same_value(const ir::Value& a, const ir::Value& b) {
  return a.kind == b.kind && a.integer == b.integer && a.number == b.number && a.text == b.text;
}

// What a node says besides its operands.
bool same_head(const Expr* a, const Expr* b) {
  switch (a->kind) {
    case ExprKind::kConst:
      return same_value(ir::as<ir::Const>(a)->value, ir::as<ir::Const>(b)->value);
    case ExprKind::kLoad:
      return loaded(a) == loaded(b);
    case ExprKind::kGlobal:
      return ir::as<ir::Global>(a)->array == ir::as<ir::Global>(b)->array;
    case ExprKind::kQuery:
      return ir::as<ir::Query>(a)->op == ir::as<ir::Query>(b)->op &&
             ir::as<ir::Query>(a)->axis == ir::as<ir::Query>(b)->axis;
    case ExprKind::kUnary:
      return ir::as<ir::Unary>(a)->op == ir::as<ir::Unary>(b)->op;
    case ExprKind::kBinary:
      return ir::as<ir::Binary>(a)->op == ir::as<ir::Binary>(b)->op;
    case ExprKind::kCompare:
      return ir::as<ir::Compare>(a)->op == ir::as<ir::Compare>(b)->op;
    case ExprKind::kLogical:
      return ir::as<ir::Logical>(a)->is_and == ir::as<ir::Logical>(b)->is_and;
    case ExprKind::kConvert:
      return ir::as<ir::Convert>(a)->op == ir::as<ir::Convert>(b)->op;
    case ExprKind::kBuiltin:
      return ir::as<ir::Builtin>(a)->row == ir::as<ir::Builtin>(b)->row;
    case ExprKind::kItem:
      return ir::as<ir::Item>(a)->index == ir::as<ir::Item>(b)->index;
    case ExprKind::kLane:
      return ir::as<ir::Lane>(a)->op == ir::as<ir::Lane>(b)->op &&
             ir::as<ir::Lane>(a)->axis == ir::as<ir::Lane>(b)->axis;
    case ExprKind::kElement:
    case ExprKind::kSelect:
    case ExprKind::kTuple:
    case ExprKind::kItemAt:
    case ExprKind::kWrap:
    case ExprKind::kUnwrap:
    case ExprKind::kHasValue:
      return true;
    case ExprKind::kView:
    case ExprKind::kNewArray:
    case ExprKind::kCall:
      return false;
  }
  return false;
}

std::vector<Expr*> operands_of(const Expr* e) {
  std::vector<Expr*> all;
  for_each_operand(const_cast<Expr*>(e), [&](Expr*& slot) { all.push_back(slot); });
  return all;
}

}  // namespace

bool same_expr(const Expr* a, const Expr* b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->type != b->type || !same_head(a, b)) return false;
  const auto left = operands_of(a), right = operands_of(b);
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i < left.size(); ++i)
    if (!same_expr(left[i], right[i])) return false;
  return true;
}

bool has_effect(Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](Expr* part) {
    if (part->kind == ExprKind::kCall || part->kind == ExprKind::kNewArray) found = true;
    if (part->kind == ExprKind::kBuiltin &&
        (ir::as<ir::Builtin>(part)->row->flags & builtins::kEffect) != 0)
      found = true;
  });
  return found;
}

bool reads_memory(Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](Expr* part) {
    found = found || part->kind == ExprKind::kElement || part->kind == ExprKind::kCall;
    if (part->kind == ExprKind::kBuiltin)  // a function of whole arrays
      for (Expr* arg : *ir::as<ir::Builtin>(part)->args) found = found || arg->type->is_array();
  });
  return found;
}

bool ends(const ir::Block& block) {
  if (block.empty()) return false;
  const ir::Stmt* last = block.back();
  switch (last->kind) {
    case StmtKind::kReturn:
    case StmtKind::kRaise:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return true;
    case StmtKind::kIf:
      return ir::as<ir::If>(last)->orelse && ends(*ir::as<ir::If>(last)->body) &&
             ends(*ir::as<ir::If>(last)->orelse);
    default:
      return false;
  }
}

bool assigns(ir::Block& block, const ir::Local* local) {
  bool found = false;
  for_each_stmt(block, [&](ir::Stmt* s) {
    if (s->kind == StmtKind::kAssign) found = found || ir::as<ir::Assign>(s)->local == local;
    if (s->kind == StmtKind::kFor) found = found || ir::as<ir::For>(s)->index == local;
  });
  return found;
}

bool has_exit(ir::Block& body, const ir::Stmt* loop) {
  bool found = false;
  for_each_stmt(body, [&](ir::Stmt* s) {
    found = found || s->kind == StmtKind::kReturn ||
            (s->kind == StmtKind::kBreak && ir::as<ir::Break>(s)->loop == loop);
  });
  return found;
}

}  // namespace pyk2cu::emit
