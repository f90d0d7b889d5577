// Recognises reductions: every read and write of the variable is part of an update of one kind.
//
//   x += e, x = e + x, x -= e         kAdd      x *= e, x /= e         kMul
//   x = min(x, e), if e < x: x = e    kMin      likewise kMax
//   x &= e, x |= e, x ^= e            kAnd, kOr, kXor      x = x and e, x or e   logical
//   x = e if e < x else x             kMin, likewise kMax
//
// An operand of `and` that may raise is none: whether it is evaluated hangs on earlier iterations.
// `e` does not read x, not in a helper's arguments either.
// Tested by tests/golden/openmp.
#include "emit/lower/reductions.h"

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Expr;
using ir::Local;
using ir::ReduceOp;
using ir::Stmt;

namespace {

// The variable itself, or an exact conversion of it.
bool is_variable(const Expr* e, const Local* local) {
  const auto* c = ir::try_as<ir::Convert>(e);
  if (c && c->op == ir::ConvertOp::kExact) e = c->operand;
  return ir::loaded(e) == local;
}

// What goes back into the variable, cut or rounded to its type.
const Expr* without_convert(const Expr* e) {
  const auto* c = ir::try_as<ir::Convert>(e);
  return c && c->op != ir::ConvertOp::kTrunc && c->op != ir::ConvertOp::kTruth ? c->operand : e;
}

class Reduction {
 public:
  explicit Reduction(const Local* local) : local_(local) {}

  bool block(const ir::Block& b) {
    for (const Stmt* s : b)
      if (!stmt(s)) return false;
    return true;
  }
  std::optional<ReduceOp> kind() const { return kind_; }
  bool keeps() const { return keeps_; }

 private:
  bool stmt(const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    if (a && a->local == local_) return assignment(a->value);
    const auto* u = ir::try_as<ir::Update>(s);
    if (u && u->place.local == local_) return update(u->op, u->value);
    const auto* branch = ir::try_as<ir::If>(s);
    if (branch && conditional(*branch)) return true;
    bool clean = true;
    ir::for_each_expr(s, [&](const Expr* e) { clean = clean && !ir::reads(e, local_); });
    ir::for_each_block(s, [&](const ir::Block& inner) { clean = clean && block(inner); });
    return clean;
  }

  bool take(ReduceOp kind, const Expr* operand) {
    if (ir::reads(operand, local_) || (kind_ && *kind_ != kind)) return false;
    kind_ = kind;
    return true;
  }

  bool update(BinaryOp op, const Expr* operand) {
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
        return take(ReduceOp::kAdd, operand);
      case BinaryOp::kMul:
      case BinaryOp::kDiv:
        return take(ReduceOp::kMul, operand);
      case BinaryOp::kAnd:
        return take(ReduceOp::kAnd, operand);
      case BinaryOp::kOr:
        return take(ReduceOp::kOr, operand);
      case BinaryOp::kXor:
        return take(ReduceOp::kXor, operand);
      default:
        return false;
    }
  }

  bool assignment(const Expr* value) {
    const Expr* e = without_convert(value);
    // A cut keeps sums and products, not the order of numbers.
    const auto* cut = ir::try_as<ir::Convert>(value);
    const bool cuts = cut && cut->op == ir::ConvertOp::kWrap;
    if (const auto* l = ir::try_as<ir::Logical>(e)) {
      const ReduceOp kind = l->is_and ? ReduceOp::kLogicalAnd : ReduceOp::kLogicalOr;
      if (ir::loaded(l->left) == local_) return take(kind, l->right);
      return ir::loaded(l->right) == local_ && take(kind, l->left);
    }
    if (const auto* call = ir::try_as<ir::Builtin>(e)) {
      using builtins::Id;
      const bool min = call->row->id == Id::builtins_min, max = call->row->id == Id::builtins_max;
      if ((!min && !max) || cuts || call->args.size() != 2) return false;
      const ReduceOp kind = min ? ReduceOp::kMin : ReduceOp::kMax;
      if (is_variable(call->args[0], local_)) return take(kind, call->args[1]);
      keeps_ = false;
      return is_variable(call->args[1], local_) && take(kind, call->args[0]);
    }
    if (const auto* choice = ir::try_as<ir::Select>(value))
      return ir::loaded(choice->no) == local_ && extreme(choice->condition, choice->yes);
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b) return false;
    if (is_variable(b->left, local_)) return update(b->op, b->right);
    const bool commutes = b->op != BinaryOp::kSub && b->op != BinaryOp::kDiv;
    return commutes && is_variable(b->right, local_) && update(b->op, b->left);
  }

  // if e > x: x = e
  bool conditional(const ir::If& s) {
    if (!s.orelse->empty() || s.body->size() != 1) return false;
    const auto* only = ir::try_as<ir::Assign>(s.body->front());
    return only && only->local == local_ && extreme(s.condition, only->value);
  }

  // e > x or e < x, where `value` is e: what makes x the larger or the smaller of both.
  bool extreme(const Expr* condition, const Expr* value) {
    const auto* c = ir::try_as<ir::Compare>(condition);
    if (!c) return false;
    const bool left = ir::loaded(c->right) == local_ && ir::equal(c->left, value);
    const bool right = ir::loaded(c->left) == local_ && ir::equal(c->right, value);
    if (!left && !right) return false;
    const bool greater = c->op == CompareOp::kGt || c->op == CompareOp::kGe;
    const bool less = c->op == CompareOp::kLt || c->op == CompareOp::kLe;
    return (greater || less) && take(greater == left ? ReduceOp::kMax : ReduceOp::kMin, value);
  }

  const Local* local_;
  std::optional<ReduceOp> kind_{};
  bool keeps_ = true;
};

}  // namespace

std::optional<Reduced> reduction_of(const ir::Block& body, const Local* local) {
  if (!local->type->is_scalar()) return std::nullopt;
  Reduction r(local);
  if (!r.block(body) || !r.kind()) return std::nullopt;
  const ReduceOp kind = *r.kind();
  const bool ordered = kind == ReduceOp::kMin || kind == ReduceOp::kMax;
  if (local->type->is_complex() && kind != ReduceOp::kAdd && kind != ReduceOp::kMul)
    return std::nullopt;
  if (ordered && !local->type->is_real()) return std::nullopt;
  return Reduced{kind, ordered && r.keeps()};
}

}  // namespace pyk2cu::emit
