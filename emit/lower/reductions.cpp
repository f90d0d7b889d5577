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

#include <cmath>
#include <unordered_map>

#include "emit/lower/flow.h"
#include "emit/lower/lanes/inline.h"
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

// Can the value of an expression of the block be no -0.0?
class Zeros {
 public:
  explicit Zeros(const ir::Block& block) {
    ir::for_each_stmt(block, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
        if (access == ir::Access::kRead) return;
        const bool is_new = values_.emplace(local, a ? a->value : nullptr).second;
        if (!is_new) values_[local] = nullptr;
      });
    });
    flow_of(block).for_each([&](const Local* local, int uses) {  // from another iteration
      if (uses & Flow::kExposed) values_.erase(local);
    });
  }

  bool none(const Expr* e, int depth = 0) const {
    if (depth > kMaxDepth) return false;
    const auto all = [&](const Expr* from) {
      bool none_in = true;
      ir::for_each_operand(from, [&](const Expr* o) { none_in = none_in && none(o, depth + 1); });
      return none_in;
    };
    if (!e->type->is_float()) return true;
    if (const ir::Const* c = ir::constant(e)) return !std::signbit(c->value.number.real());
    if (const Local* local = ir::loaded(e)) {
      const auto known = values_.find(local);
      return known != values_.end() && known->second && none(known->second, depth + 1);
    }
    if (const auto* c = ir::try_as<ir::Convert>(e))
      return c->op == ir::ConvertOp::kExact || c->operand->type->is_int() ? all(e) : false;
    if (const auto* choice = ir::try_as<ir::Select>(e))
      return none(choice->yes, depth + 1) && none(choice->no, depth + 1);
    if (const auto* call = ir::try_as<ir::Builtin>(e)) {
      using builtins::Id;
      using builtins::Range;
      const bool picks = call->row->id == Id::builtins_min || call->row->id == Id::builtins_max;
      return call->row->range == Range::kMagnitude ||
             ((picks || call->row->range == Range::kNonNegative ||
               call->row->range == Range::kRoot) &&
              all(e));
    }
    const auto* b = ir::try_as<ir::Binary>(e);
    if (!b) return false;
    if (b->op == BinaryOp::kAdd) return none(b->left, depth + 1) || none(b->right, depth + 1);
    if (b->op == BinaryOp::kSub) return none(b->left, depth + 1);
    return b->op == BinaryOp::kMul && ir::equal(b->left, b->right);
  }

 private:
  static constexpr int kMaxDepth = 16;
  std::unordered_map<const Local*, const Expr*> values_{};  // null: more than one
};

class Reduction {
 public:
  Reduction(const Local* local, const ir::Block& body) : local_(local), body_(body) {}

  bool block(const ir::Block& b) {
    for (const Stmt* s : b)
      if (!stmt(s)) return false;
    return true;
  }
  std::optional<ReduceOp> kind() const { return kind_; }
  bool keeps() const { return keeps_; }
  bool any_order() const { return keeps_ && same_type_; }
  bool one_zero() const { return one_zero_; }

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

  bool take_extreme(ReduceOp kind, const Expr* operand) {
    same_type_ = same_type_ && operand->type == local_->type;
    if (one_zero_ && operand->type->is_float()) {
      if (!zeros_) zeros_.emplace(body_);
      one_zero_ = zeros_->none(operand);
    }
    return take(kind, operand);
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
      if (e != value) same_type_ = false;
      if (is_variable(call->args[0], local_)) return take_extreme(kind, call->args[1]);
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
    const bool or_equal = c->op == CompareOp::kGe || c->op == CompareOp::kLe;
    if (or_equal && local_->type->is_float()) one_zero_ = false;
    return (greater || less) &&
           take_extreme(greater == left ? ReduceOp::kMax : ReduceOp::kMin, value);
  }

  const Local* local_;
  std::optional<ReduceOp> kind_{};
  const ir::Block& body_;
  std::optional<Zeros> zeros_{};
  bool keeps_ = true, same_type_ = true, one_zero_ = true;
};

}  // namespace

std::optional<Reduced> reduction_of(const ir::Block& body, const Local* local) {
  if (!local->type->is_scalar()) return std::nullopt;
  Reduction r(local, body);
  if (!r.block(body) || !r.kind()) return std::nullopt;
  const ReduceOp kind = *r.kind();
  const bool ordered = kind == ReduceOp::kMin || kind == ReduceOp::kMax;
  if (local->type->is_complex() && kind != ReduceOp::kAdd && kind != ReduceOp::kMul)
    return std::nullopt;
  if (ordered && !local->type->is_real()) return std::nullopt;
  return Reduced{kind, ordered && r.keeps(), ordered && r.any_order(), r.one_zero()};
}

bool adds_once(const ir::Block& body, const Local* sum) {
  int here = 0, all = 0;
  const auto assigns = [&](const Stmt* s) {
    return s->kind != ir::StmtKind::kIf && ir::assigned_in(s).contains(sum);
  };
  const auto top = [&](auto&& self, const ir::Block& b) -> void {
    for (const Stmt* s : b) {
      if (assigns(s) && !ir::is_loop(s)) ++here;
      if (const auto* branch = ir::try_as<ir::If>(s))
        self(self, *branch->body), self(self, *branch->orelse);
      if (runs_once(s)) self(self, *ir::as<ir::While>(s)->body);
    }
  };
  top(top, body);
  ir::for_each_stmt(body, [&](const Stmt* s) { all += assigns(s) && !ir::is_loop(s); });
  return here == 1 && all == 1;
}

}  // namespace pyk2cu::emit
