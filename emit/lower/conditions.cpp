// What conditions say about variables and about expressions, and which conditions are known to
// hold: see interval.h.
//
// Tested by tests/golden/ranges, tests/golden/passes/ranges_asked and tests/run/test_asked.py.
#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::CompareOp;
using ir::constant;
using ir::Expr;
using ir::ExprKind;
using ir::loaded;
using ir::Local;

namespace {

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::kLt:
      return CompareOp::kGt;
    case CompareOp::kLe:
      return CompareOp::kGe;
    case CompareOp::kGt:
      return CompareOp::kLt;
    case CompareOp::kGe:
      return CompareOp::kLe;
    case CompareOp::kEq:
    case CompareOp::kNe:
      break;
  }
  return op;
}

// Under conversions that keep every value.
const Expr* unconverted(const Expr* e) {
  while (e->kind == ExprKind::kConvert && ir::as<ir::Convert>(e)->op == ir::ConvertOp::kExact)
    e = ir::as<ir::Convert>(e)->operand;
  return e;
}

// The variable whose value the operand is, or what stands for it; null: nothing can be said of it.
const Local* subject(const Expr* e, Known& known) {
  e = unconverted(e);
  if (!e->type->is_int() && !e->type->is_float()) return nullptr;
  return loaded(e) ? loaded(e) : known.make_stand_in(e);
}

// Neither is NaN where they compare so.
Interval narrowed_float(Interval i, CompareOp op, const Interval& other) {
  const bool is_above = op == CompareOp::kGt || op == CompareOp::kGe || op == CompareOp::kEq;
  const bool is_below = op == CompareOp::kLt || op == CompareOp::kLe || op == CompareOp::kEq;
  const bool is_strict = op == CompareOp::kGt || op == CompareOp::kLt;
  if (is_above) i.lo = std::max(i.lo, other.lo);
  if (is_below) i.hi = std::min(i.hi, other.hi);
  if ((is_above && other.lo >= 0) || (is_below && other.hi <= 0))
    i.nonzero = i.nonzero || is_strict || other.excludes_zero();
  if (op == CompareOp::kEq) i.nonzero = i.nonzero || other.excludes_zero();
  return i;
}

// What can be no number is no interval: nobody comes here.
void keep(const Local* local, const Interval& i, Known& known) {
  if (i.is_empty())
    known.reachable = false;
  else
    known.set(local, i);
}

void narrow(const Local* local, CompareOp op, const Interval& other, bool is_zero, Known& known) {
  Interval i = known.of(local);
  if (!local->type->is_int()) {
    i = narrowed_float(i, op, other);
    i.nonzero = i.nonzero || (is_zero && op == CompareOp::kNe);
    return keep(local, i, known);
  }
  switch (op) {
    case CompareOp::kLt:
      i.hi = std::min(i.hi, other.hi - 1);
      break;
    case CompareOp::kLe:
      i.hi = std::min(i.hi, other.hi);
      break;
    case CompareOp::kGt:
      i.lo = std::max(i.lo, other.lo + 1);
      break;
    case CompareOp::kGe:
      i.lo = std::max(i.lo, other.lo);
      break;
    case CompareOp::kEq:
      i.lo = std::max(i.lo, other.lo);
      i.hi = std::min(i.hi, other.hi);
      break;
    case CompareOp::kNe:
      if (!is_zero) break;
      i.nonzero = true;
      if (i.lo == 0) i.lo = 1;
      if (i.hi == 0) i.hi = -1;
      break;
  }
  keep(local, i, known);
}

// abs(e) compares so.
void narrow_magnitude(const Expr* e, CompareOp op, const Interval& other, bool is_zero,
                      Known& known) {
  const auto* b = ir::try_as<ir::Builtin>(unconverted(e));
  if (!b || b->args.size() != 1 || b->row->range != builtins::Range::kMagnitude) return;
  const bool is_above =
      other.lo >= 0 && (op == CompareOp::kGt || (op == CompareOp::kGe && other.excludes_zero()));
  if (!is_above && !(is_zero && op == CompareOp::kNe)) return;
  const Local* of = subject(b->args[0], known);
  if (!of) return;
  Interval i = known.of(of);
  i.nonzero = true;
  keep(of, i, known);
}

// high - low compares so with what lies in `other`, and does not overflow: while hi - lo > 1.
void narrow_difference(const Expr* e, CompareOp op, const Interval& other, Known& known) {
  const auto* b = ir::try_as<ir::Binary>(e);
  if (!b || b->op != ir::BinaryOp::kSub || !e->type->is_int()) return;
  Observer nobody;
  const Interval high = evaluate(b->left, known, nobody), low = evaluate(b->right, known, nobody);
  if (!Interval{high.lo - low.hi, high.hi - low.lo}.within(full(e->type))) return;
  const Local *above = subject(b->left, known), *below = subject(b->right, known);
  const auto tell = [&](const Local* local, CompareOp is, Wide bound) {
    if (local && !known.reachable) return;
    if (local) narrow(local, is, {bound, bound}, false, known);
  };
  if (op == CompareOp::kGt || op == CompareOp::kGe) {
    const Wide least = other.lo + (op == CompareOp::kGt ? 1 : 0);
    if (!constant(b->left)) tell(above, CompareOp::kGe, low.lo + least);
    if (!constant(b->right)) tell(below, CompareOp::kLe, high.hi - least);
  } else if (op == CompareOp::kLt || op == CompareOp::kLe) {
    const Wide most = other.hi - (op == CompareOp::kLt ? 1 : 0);
    if (!constant(b->left)) tell(above, CompareOp::kLe, low.hi + most);
    if (!constant(b->right)) tell(below, CompareOp::kGe, high.lo - most);
  }
}

bool is_zero(const Expr* e) {
  const ir::Const* c = constant(e);
  return c && (c->value.kind == ir::Value::Kind::kInt     ? c->value.integer == 0
               : c->value.kind == ir::Value::Kind::kFloat ? c->value.number.real() == 0
                                                          : false);
}

std::optional<bool> compare(const ir::Compare& c, Known& known) {
  Observer nobody;
  const Interval l = evaluate(c.left, known, nobody), r = evaluate(c.right, known, nobody);
  const bool zero =
      (is_zero(c.right) && l.excludes_zero()) || (is_zero(c.left) && r.excludes_zero());
  if (zero && c.op == CompareOp::kEq) return false;
  if (zero && c.op == CompareOp::kNe) return true;
  if (!c.left->type->is_int() || !c.right->type->is_int()) return std::nullopt;
  switch (c.op) {
    case CompareOp::kLt:
      if (is_below(c.left, c.right, false, known)) return true;
      return l.hi < r.lo ? std::optional(true) : l.lo >= r.hi ? std::optional(false) : std::nullopt;
    case CompareOp::kLe:
      if (is_below(c.left, c.right, true, known)) return true;
      return l.hi <= r.lo ? std::optional(true) : l.lo > r.hi ? std::optional(false) : std::nullopt;
    case CompareOp::kGt:
      if (is_below(c.left, c.right, true, known)) return false;
      return l.lo > r.hi ? std::optional(true) : l.hi <= r.lo ? std::optional(false) : std::nullopt;
    case CompareOp::kGe:
      if (is_below(c.left, c.right, false, known)) return false;
      return l.lo >= r.hi ? std::optional(true) : l.hi < r.lo ? std::optional(false) : std::nullopt;
    case CompareOp::kEq:
    case CompareOp::kNe:
      if (l.hi < r.lo || l.lo > r.hi) return c.op == CompareOp::kNe;
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> truth(Expr* e, Known& known) {
  if (const ir::Const* c = constant(e)) return c->value.integer != 0;
  if (e->kind == ExprKind::kCompare) return compare(*ir::as<ir::Compare>(e), known);
  if (e->kind == ExprKind::kUnary && ir::as<ir::Unary>(e)->op == ir::UnaryOp::kNot) {
    const auto operand = truth(ir::as<ir::Unary>(e)->operand, known);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (e->kind != ExprKind::kLogical) return std::nullopt;
  const auto& l = *ir::as<ir::Logical>(e);
  const auto left = truth(l.left, known), right = truth(l.right, known);
  if (left == !l.is_and || right == !l.is_and) return !l.is_and;
  return left && right ? std::optional(l.is_and) : std::nullopt;
}

namespace {

void assume_parts(Expr* e, bool holds, Known& known) {
  if (e->kind == ExprKind::kUnary && ir::as<ir::Unary>(e)->op == ir::UnaryOp::kNot)
    return assume_parts(ir::as<ir::Unary>(e)->operand, !holds, known);
  if (e->kind == ExprKind::kLogical) {
    const auto& l = *ir::as<ir::Logical>(e);
    if (l.is_and != holds) return;
    assume_parts(l.left, holds, known);
    return assume_parts(l.right, holds, known);
  }
  if (const auto* truth = ir::try_as<ir::Convert>(e); truth && truth->op == ir::ConvertOp::kTruth) {
    if (const Local* local = subject(truth->operand, known))
      narrow(local, holds ? CompareOp::kNe : CompareOp::kEq, {0, 0}, true, known);
    return;
  }
  if (e->kind != ExprKind::kCompare) return;
  const auto& c = *ir::as<ir::Compare>(e);
  const bool ints = c.left->type->is_int() && c.right->type->is_int();
  if (!ints && !holds && c.op != CompareOp::kEq && c.op != CompareOp::kNe) return;  // NaN
  const CompareOp op = holds ? c.op : ir::opposite(c.op);
  Observer nobody;
  const Interval l = evaluate(c.left, known, nobody), r = evaluate(c.right, known, nobody);
  const auto tell = [&](const Expr* of, CompareOp is, const Interval& other, const Expr* beside) {
    if (constant(unconverted(of))) return;
    if (const Local* local = subject(of, known)) narrow(local, is, other, is_zero(beside), known);
    narrow_magnitude(of, is, other, is_zero(beside), known);
  };
  tell(c.left, op, r, c.right);
  tell(c.right, mirrored(op), l, c.left);
  if (ints) {
    narrow_difference(c.left, op, r, known);
    narrow_difference(c.right, mirrored(op), l, known);
  }
  const Local *a = loaded(unconverted(c.left)), *b = loaded(unconverted(c.right));
  if (ints && a && (op == CompareOp::kLt || op == CompareOp::kLe))
    bound(a, upper_bounds(c.right, known), op == CompareOp::kLt ? -1 : 0, known);
  if (ints && b && (op == CompareOp::kGt || op == CompareOp::kGe))
    bound(b, upper_bounds(c.left, known), op == CompareOp::kGt ? -1 : 0, known);
  const bool differs = op == CompareOp::kNe || op == CompareOp::kLt || op == CompareOp::kGt;
  if (a && b && a != b && differs && loaded(c.left) && loaded(c.right)) known.set_unequal(a, b);
}

}  // namespace

void assume(Expr* e, bool holds, Known& known) {
  assume_parts(e, holds, known);
  if (ir::has_effect(e)) known.forget_memory();  // by what came behind the part that says it
}

}  // namespace pyk2cu::emit
