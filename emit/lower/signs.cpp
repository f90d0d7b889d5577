// Whole numbers without a sign that are only asked for as numbers with one.
//
//   int64(uint64(a) - uint64(b))   of bytes a, b   ->   int64(a) - int64(b)
//   span = uint64(a) - uint64(b); … span > 0 … int64(span)   ->   span is int64; span != 0
//
// Numba's int() of a byte is a uint64, and so are sums and differences of those, modulo 2**64: the
// same bits as those of int64, of which ranges knows more: from -255 to 255 there.
// In: a function in front of ranges.  Out: the same values. Tested by tests/golden/passes/signs and
// tests/run/test_signs.py.
#include <algorithm>

#include "emit/lower/lower.h"
#include "emit/lower/retypable.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::CompareOp;
using ir::ConvertOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

class Signs {
 public:
  Signs(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void run() {
    choose();
    ir::for_each_stmt(f_.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && with_sign_.contains(a->local)) a->value = with_sign(a->value);
      ir::for_each_expr(s, [&](Expr*& e) { rewrite(e); });
    });
    for (const Local* local : with_sign_) const_cast<Local*>(local)->type = types::int64();
  }

 private:
  // ---- variables -------------------------------------------------------------------------------
  // Those that are assigned numbers, of which nobody asks what only uint64 says.
  void choose() {
    for (const Local* local : retypable(f_))
      if (local->type == types::uint64()) with_sign_.insert(local);
    while (!with_sign_.empty() && drop_some()) {
    }
  }

  bool drop_some() {
    const size_t before = with_sign_.size();
    ir::for_each_stmt(std::as_const(f_.body), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const bool sign = a && with_sign_.contains(a->local);
      ir::for_each_expr(s, [&](const Expr* e) { look(e, sign); });
    });
    return with_sign_.size() != before;
  }

  // sign: whoever asks would take the int64 of the same bits.
  void look(const Expr* e, bool sign) {
    const Local* local = ir::loaded(e);
    if (local && !sign) with_sign_.erase(local);
    const bool ring = sign && is_ring(e);
    const bool asks = asks_bits(e) || is_signed_of(e);
    ir::for_each_operand(e, [&](const Expr* operand) {
      const bool chooses =
          e->kind == ExprKind::kSelect && operand == ir::as<ir::Select>(e)->condition;
      look(operand, (ring && !chooses) || asks);
    });
  }

  // ---- expressions -----------------------------------------------------------------------------
  static bool is_signed_of(const Expr* e) {
    const auto* c = ir::try_as<ir::Convert>(e);
    return c && c->op == ConvertOp::kWrap && c->type == types::int64() &&
           c->operand->type == types::uint64();
  }

  // uint64: its bits are those that int64 computes of the bits of its operands.
  static bool is_ring(const Expr* e) {
    if (e->type != types::uint64()) return false;
    if (e->kind == ExprKind::kSelect) return true;
    const auto* b = ir::try_as<ir::Binary>(e);
    return b && b->op <= BinaryOp::kMul && b->left->type == types::uint64() &&
           b->right->type == types::uint64();
  }

  // u == v, u != v, u > 0 and what says the same
  static bool asks_bits(const Expr* e) {
    const auto* c = ir::try_as<ir::Compare>(e);
    if (!c || c->left->type != types::uint64() || c->right->type != types::uint64()) return false;
    return c->op == CompareOp::kEq || c->op == CompareOp::kNe || is_zero(*c);
  }
  static bool is_zero(const ir::Compare& c) {
    return (ir::is_int_const(c.right, 0) && (c.op == CompareOp::kGt || c.op == CompareOp::kLe)) ||
           (ir::is_int_const(c.left, 0) && (c.op == CompareOp::kLt || c.op == CompareOp::kGe));
  }

  bool has_own(const Expr* e) const {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const Local* local = ir::loaded(part);
      found = found || (local && with_sign_.contains(local));
    });
    return found;
  }

  void rewrite(Expr*& e) {
    if (is_signed_of(e)) {
      Expr* of = ir::as<ir::Convert>(e)->operand;
      if (is_ring(of) || has_own(of)) e = with_sign(of);
    }
    if (asks_bits(e) && has_own(e)) {
      auto& c = *ir::as<ir::Compare>(e);
      if (is_zero(c))
        c.op = c.op == CompareOp::kGt || c.op == CompareOp::kLt ? CompareOp::kNe : CompareOp::kEq;
      c.left = with_sign(c.left);
      c.right = with_sign(c.right);
    }
    ir::for_each_operand(e, [&](Expr*& operand) { rewrite(operand); });
  }

  // The int64 of the same bits.
  Expr* with_sign(Expr* e) const {
    if (e->type == types::int64()) return e;  // done
    const ir::Builder b{program_, e->span};
    if (Local* local = ir::loaded(e); local && with_sign_.contains(local)) {
      e->type = types::int64();
      return e;
    }
    if (auto* s = ir::try_as<ir::Select>(e); s && is_ring(e))
      return b.expr<ir::Select>(types::int64(), s->condition, with_sign(s->yes), with_sign(s->no));
    if (auto* s = ir::try_as<ir::Binary>(e); s && is_ring(e))
      return b.expr<ir::Binary>(types::int64(), s->op, with_sign(s->left), with_sign(s->right));
    if (const ir::Const* c = ir::constant(e)) return b.integer(c->value.integer);
    const auto* c = ir::try_as<ir::Convert>(e);
    const types::Type* from = c ? c->operand->type : nullptr;
    if (c && c->op != ConvertOp::kTrunc && from == types::int64()) return c->operand;
    if (c && c->op != ConvertOp::kTrunc && (from->is_int() || from->is_bool()) && from->bits < 64)
      return b.expr<ir::Convert>(types::int64(), ConvertOp::kExact, c->operand);
    return b.expr<ir::Convert>(types::int64(), ConvertOp::kWrap, e);
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::LocalSet with_sign_{};
};

}  // namespace

void signs(ir::Program& program, ir::Function& f) { Signs(program, f).run(); }

}  // namespace pyk2cu::emit
