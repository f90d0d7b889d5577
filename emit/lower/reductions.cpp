// Recognises reductions: every read and write of the variable is part of an update of one kind.
//
//   x = x + e, x = e + x, x = x - e   kAdd      x = x * e, x = x / e   kMul
//   x = min(x, e), if e < x: x = e    kMin      likewise kMax
//   x = x & e, x | e, x ^ e           kAnd, kOr, kXor      x = x and e, x or e   logical
// Tested by tests/golden/openmp.
#include "emit/lower/reductions.h"

#include "emit/lower/walk.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::ReduceOp;
using ir::Stmt;
using ir::StmtKind;

namespace {

Expr* without_convert(Expr* e) {
  while (e->kind == ExprKind::kConvert) e = ir::as<ir::Convert>(e)->operand;
  return e;
}

bool is_one_of(Expr* a, Expr* b, const Local* local, bool commutes, Expr** other) {
  if (loaded(without_convert(a)) == local) return *other = b, true;
  if (commutes && loaded(without_convert(b)) == local) return *other = a, true;
  return false;
}

class Reduction {
 public:
  explicit Reduction(const Local* local) : local_(local) {}

  bool block(ir::Block& b) {
    for (Stmt* s : b)
      if (!stmt(s)) return false;
    return true;
  }
  std::optional<ReduceOp> kind() const { return kind_; }

 private:
  bool stmt(Stmt* s) {
    if (s->kind == StmtKind::kAssign && ir::as<ir::Assign>(s)->local == local_)
      return update(ir::as<ir::Assign>(s)->value);
    if (s->kind == StmtKind::kIf && conditional(*ir::as<ir::If>(s))) return true;
    bool clean = true;
    for_each_expr(s, [&](Expr*& e) { clean = clean && !reads(e, local_); });
    for_each_block(s, [&](ir::Block& inner) { clean = clean && block(inner); });
    return clean;
  }

  bool take(ReduceOp kind, Expr* operand) {
    if (reads(operand, local_) || (kind_ && *kind_ != kind)) return false;
    kind_ = kind;
    return true;
  }

  bool update(Expr* value) {
    Expr* e = without_convert(value);
    Expr* other = nullptr;
    if (e->kind == ExprKind::kLogical) {
      auto& l = *ir::as<ir::Logical>(e);
      return is_one_of(l.left, l.right, local_, true, &other) &&
             take(l.is_and ? ReduceOp::kLogicalAnd : ReduceOp::kLogicalOr, other);
    }
    if (e->kind == ExprKind::kBuiltin) {
      auto& call = *ir::as<ir::Builtin>(e);
      const bool min = call.row->name == "min", max = call.row->name == "max";
      return (min || max) && call.args->size() == 2 &&
             is_one_of((*call.args)[0], (*call.args)[1], local_, true, &other) &&
             take(min ? ReduceOp::kMin : ReduceOp::kMax, other);
    }
    if (e->kind != ExprKind::kBinary) return false;
    auto& b = *ir::as<ir::Binary>(e);
    const auto kind = kind_of(b.op);
    const bool commutes = b.op != BinaryOp::kSub && b.op != BinaryOp::kDiv;
    return kind && is_one_of(b.left, b.right, local_, commutes, &other) && take(*kind, other);
  }

  static std::optional<ReduceOp> kind_of(BinaryOp op) {
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
        return ReduceOp::kAdd;
      case BinaryOp::kMul:
      case BinaryOp::kDiv:
        return ReduceOp::kMul;
      case BinaryOp::kAnd:
        return ReduceOp::kAnd;
      case BinaryOp::kOr:
        return ReduceOp::kOr;
      case BinaryOp::kXor:
        return ReduceOp::kXor;
      default:
        return std::nullopt;
    }
  }

  // if e > x: x = e
  bool conditional(ir::If& s) {
    if ((s.orelse && !s.orelse->empty()) || s.body->size() != 1) return false;
    Stmt* only = (*s.body)[0];
    if (only->kind != StmtKind::kAssign || ir::as<ir::Assign>(only)->local != local_) return false;
    if (s.condition->kind != ExprKind::kCompare) return false;
    auto& c = *ir::as<ir::Compare>(s.condition);
    Expr* value = ir::as<ir::Assign>(only)->value;
    const bool left = loaded(c.right) == local_ && same_expr(c.left, value);
    const bool right = loaded(c.left) == local_ && same_expr(c.right, value);
    if (!left && !right) return false;
    const bool greater = c.op == CompareOp::kGt || c.op == CompareOp::kGe;
    const bool less = c.op == CompareOp::kLt || c.op == CompareOp::kLe;
    return (greater || less) && take(greater == left ? ReduceOp::kMax : ReduceOp::kMin, value);
  }

  const Local* local_;
  std::optional<ReduceOp> kind_{};
};

}  // namespace

std::optional<ReduceOp> reduction_of(ir::Block& body, const Local* local) {
  if (!local->type->is_scalar()) return std::nullopt;
  Reduction r(local);
  if (!r.block(body)) return std::nullopt;
  const auto kind = r.kind();
  const bool ordered = kind == ReduceOp::kMin || kind == ReduceOp::kMax;
  if (local->type->is_complex() && kind != ReduceOp::kAdd && kind != ReduceOp::kMul)
    return std::nullopt;
  return ordered && !local->type->is_real() ? std::nullopt : kind;
}

}  // namespace pyk2cu::emit
