// Walking the IR: the operands of an expression, the expressions and blocks of a statement.
//
// Callbacks get references to the slots, so that passes can replace what stands there.
// Tested by every pass's tests.
#pragma once

#include <vector>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

namespace detail {

// Nodes with one, two or three operands.
template <class F>
void for_each_fixed_operand(ir::Expr* e, F&& f) {
  using ir::ExprKind;
  const auto all = [&](auto*&... slots) { ((slots ? f(slots) : void()), ...); };
  switch (e->kind) {
    case ExprKind::kQuery:
      return all(ir::as<ir::Query>(e)->operand);
    case ExprKind::kUnary:
      return all(ir::as<ir::Unary>(e)->operand);
    case ExprKind::kBinary:
      return all(ir::as<ir::Binary>(e)->left, ir::as<ir::Binary>(e)->right);
    case ExprKind::kCompare:
      return all(ir::as<ir::Compare>(e)->left, ir::as<ir::Compare>(e)->right);
    case ExprKind::kLogical:
      return all(ir::as<ir::Logical>(e)->left, ir::as<ir::Logical>(e)->right);
    case ExprKind::kSelect:
      return all(ir::as<ir::Select>(e)->condition, ir::as<ir::Select>(e)->yes,
                 ir::as<ir::Select>(e)->no);
    case ExprKind::kConvert:
      return all(ir::as<ir::Convert>(e)->operand);
    case ExprKind::kItem:
      return all(ir::as<ir::Item>(e)->tuple);
    case ExprKind::kItemAt:
      return all(ir::as<ir::ItemAt>(e)->tuple, ir::as<ir::ItemAt>(e)->index.value);
    case ExprKind::kWrap:
      return all(ir::as<ir::Wrap>(e)->operand);
    case ExprKind::kUnwrap:
      return all(ir::as<ir::Unwrap>(e)->operand);
    case ExprKind::kHasValue:
      return all(ir::as<ir::HasValue>(e)->operand);
    default:
      return;
  }
}

}  // namespace detail

// f(Expr*&) for every direct operand that is present.
template <class F>
void for_each_operand(ir::Expr* e, F&& f) {
  using ir::ExprKind;
  const auto maybe = [&](ir::Expr*& slot) {
    if (slot) f(slot);
  };
  const auto list = [&](std::vector<ir::Expr*>* items) {
    if (items)
      for (ir::Expr*& item : *items) maybe(item);
  };
  switch (e->kind) {
    case ExprKind::kElement:
      maybe(ir::as<ir::Element>(e)->array);
      for (ir::Index& i : *ir::as<ir::Element>(e)->indices) maybe(i.value);
      return;
    case ExprKind::kView:
      maybe(ir::as<ir::View>(e)->array);
      for (ir::Subscript& s : *ir::as<ir::View>(e)->subscripts) {
        maybe(s.index.value);
        maybe(s.lo), maybe(s.hi), maybe(s.step);
      }
      return;
    case ExprKind::kNewArray:
      list(ir::as<ir::NewArray>(e)->shape);
      return maybe(ir::as<ir::NewArray>(e)->value);
    case ExprKind::kCall:
      return list(ir::as<ir::Call>(e)->args);
    case ExprKind::kBuiltin:
      return list(ir::as<ir::Builtin>(e)->args);
    case ExprKind::kTuple:
      return list(ir::as<ir::Tuple>(e)->items);
    default:
      return detail::for_each_fixed_operand(e, f);
  }
}

// f(Expr*&) for every expression that the statement itself evaluates, in order of evaluation; not
// those of nested statements.
template <class F>
void for_each_expr(ir::Stmt* s, F&& f) {
  using ir::StmtKind;
  const auto maybe = [&](ir::Expr*& slot) {
    if (slot) f(slot);
  };
  switch (s->kind) {
    case StmtKind::kAssign:
      return maybe(ir::as<ir::Assign>(s)->value);
    case StmtKind::kStore:
      maybe(ir::as<ir::Store>(s)->value);
      maybe(ir::as<ir::Store>(s)->array);
      for (ir::Index& i : *ir::as<ir::Store>(s)->indices) maybe(i.value);
      return;
    case StmtKind::kIf:
      return maybe(ir::as<ir::If>(s)->condition);
    case StmtKind::kFor:
      maybe(ir::as<ir::For>(s)->lo);
      maybe(ir::as<ir::For>(s)->hi);
      return maybe(ir::as<ir::For>(s)->step);
    case StmtKind::kWhile:
      return maybe(ir::as<ir::While>(s)->condition);
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return;
    case StmtKind::kReturn:
      return maybe(ir::as<ir::Return>(s)->value);
    case StmtKind::kRaise:
      if (auto* args = ir::as<ir::Raise>(s)->args)
        for (ir::Expr*& arg : *args) maybe(arg);
      return;
    case StmtKind::kEval:
      return maybe(ir::as<ir::Eval>(s)->value);
    case StmtKind::kPrint:
      for (ir::Expr*& item : *ir::as<ir::Print>(s)->items) maybe(item);
      return;
  }
}

// f(Block&) for the blocks nested in the statement.
template <class F>
void for_each_block(ir::Stmt* s, F&& f) {
  switch (s->kind) {
    case ir::StmtKind::kIf:
      f(*ir::as<ir::If>(s)->body);
      if (ir::as<ir::If>(s)->orelse) f(*ir::as<ir::If>(s)->orelse);
      return;
    case ir::StmtKind::kFor:
      return f(*ir::as<ir::For>(s)->body);
    case ir::StmtKind::kWhile:
      return f(*ir::as<ir::While>(s)->body);
    default:
      return;
  }
}

// f(Expr*) for the expression and everything in it, outside in.
template <class F>
void for_each_subexpr(ir::Expr* e, F&& f) {
  f(e);
  for_each_operand(e, [&](ir::Expr*& operand) { for_each_subexpr(operand, f); });
}

// f(Stmt*) for every statement of the block, nested ones included, outside in.
template <class F>
void for_each_stmt(ir::Block& block, F&& f) {
  for (ir::Stmt* s : block) {
    f(s);
    for_each_block(s, [&](ir::Block& inner) { for_each_stmt(inner, f); });
  }
}

// f(Expr*) for everything evaluated anywhere in the block.
template <class F>
void for_each_expr_in(ir::Block& block, F&& f) {
  for_each_stmt(
      block, [&](ir::Stmt* s) { for_each_expr(s, [&](ir::Expr*& e) { for_each_subexpr(e, f); }); });
}

inline ir::Local* loaded(const ir::Expr* e) {  // null: not a Load
  return e && e->kind == ir::ExprKind::kLoad ? ir::as<ir::Load>(e)->local : nullptr;
}
inline const ir::Const* constant(const ir::Expr* e) {  // null: not a Const
  return e && e->kind == ir::ExprKind::kConst ? ir::as<ir::Const>(e) : nullptr;
}
inline bool is_int_const(const ir::Expr* e, int64_t value) {
  const ir::Const* c = constant(e);
  return c && c->value.kind == ir::Value::Kind::kInt && c->value.integer == value;
}

bool reads(ir::Expr* e, const ir::Local* local);
bool same_expr(const ir::Expr* a, const ir::Expr* b);  // structurally, effects aside
// A call, or a builtin with an effect, anywhere inside.
bool has_effect(ir::Expr* e);
bool reads_memory(ir::Expr* e);     // an element of an array
bool ends(const ir::Block& block);  // leaves by return, raise, break or continue
bool assigns(ir::Block& block, const ir::Local* local);
// Leaves the function, or the loop itself, from inside.
bool has_exit(ir::Block& body, const ir::Stmt* loop);

}  // namespace pyk2cu::emit
