// Numbers that fit 32 bits, computed in 32 bits.
//
//   int64(a[i]) * 3 + 1   of bytes a   ->   int64(int32(a[i]) * 3 + 1)
//   float64(int64(a[i]) // 2)          ->   float64(int32(a[i]) // 2)
//   r = int64(a[i])                    ->   r is int32, where all that it is used for is
//
// Python's whole numbers are int64, those of images and codes are small: so a vector holds twice as
// many, and g++ knows how to divide, multiply and compare them. Subscripts and ends of loops stay
// what they are: addresses have 64 bits.
// And what is compared to a number that is a float32:  float64(x[i]) > 0.5   ->   x[i] > 0.5f
//
// In: a function behind ranges.  Out: the same values. Tested by tests/golden/passes/narrow and
// tests/run/test_narrow.py.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "emit/lower/lower.h"
#include "emit/lower/ranges.h"
#include "emit/lower/retypable.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::ConvertOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kMaxRounds = 4;  // of variables that stay wide because others do

class Narrow {
 public:
  Narrow(ir::Program& program, ir::Function& f) : program_(program), f_(f), fits_(fits_of(f)) {}

  void run() {
    choose();
    ir::for_each_stmt(f_.body, [&](Stmt* s) { stmt(s); });
    for (Local* local : narrow_) local->type = types::int32();
  }

 private:
  // ---- variables -------------------------------------------------------------------------------
  void choose() {
    const ir::LocalSet own = retypable(f_);
    std::unordered_set<const Local*> taken;  // for addresses
    std::vector<ir::Assign*> assigns;
    ir::for_each_stmt(f_.body, [&](Stmt* s) {
      if (auto* assign = ir::try_as<ir::Assign>(s)) assigns.push_back(assign);
      for_each_of(s, [&](const Expr* e, bool is_address) { addresses(e, is_address, taken); });
    });
    // All that may be, counters too, which nothing but constants are added to. Less what is not.
    for (const ir::Assign* a : assigns)
      if (has_64_bits(a->local->type) && own.contains(a->local) && !taken.contains(a->local) &&
          !fits_.too_wide.contains(a->local))
        narrow_.insert(a->local);
    std::unordered_map<const Local*, std::vector<const ir::Assign*>> readers;
    for (const ir::Assign* a : assigns)
      ir::for_each_subexpr(std::as_const(a->value), [&](const Expr* e) {
        if (const Local* local = ir::loaded(e)) readers[local].push_back(a);
      });
    std::vector<const ir::Assign*> left(assigns.begin(), assigns.end());
    while (!left.empty()) {
      const ir::Assign* a = left.back();
      left.pop_back();
      bool own_bits = false;
      if (!narrow_.contains(a->local) || fits(a->value, own_bits)) continue;
      narrow_.erase(a->local);
      left.insert(left.end(), readers[a->local].begin(), readers[a->local].end());
    }
    for (int round = 0; round < kMaxRounds; ++round) {
      const size_t before = narrow_.size();
      ir::for_each_stmt(f_.body, [&](Stmt* s) {
        const auto* assign = ir::try_as<ir::Assign>(s);
        if (assign && narrow_.contains(assign->local)) return inside(assign->value);
        for_each_of(s, [&](const Expr* e, bool) { outside(e); });
      });
      if (narrow_.size() == before) return;
    }
  }

  // Variables that are read as what they were stay so: it costs conversions. What expr() and
  // narrowed() will make of the expression:
  void outside(const Expr* e) {
    const auto* convert = ir::try_as<ir::Convert>(e);
    if (convert && convert->type->is_real() && gains(convert->operand))
      return inside(convert->operand);
    if (const auto* compare = ir::try_as<ir::Compare>(e); compare && are_narrow(*compare)) {
      inside(compare->left);
      return inside(compare->right);
    }
    if (Local* local = ir::loaded(e)) {
      narrow_.erase(local);
    } else if (e->kind != ExprKind::kConvert && gains(e)) {
      inside(e);
    } else {
      ir::for_each_operand(e, [&](const Expr* operand) { outside(operand); });
    }
  }
  void inside(const Expr* e) {
    bool own = false;
    if (!fits(e, own)) return outside(e);
    if (e->kind == ExprKind::kConvert && !has_64_bits(ir::as<ir::Convert>(e)->operand->type))
      return outside(ir::as<ir::Convert>(e)->operand);
    if (const auto* select = ir::try_as<ir::Select>(e)) outside(select->condition);
    for_each_value(e, [&](const Expr* operand) { inside(operand); });
  }

  // Variables that are read for an address.
  static void addresses(const Expr* e, bool is_address, std::unordered_set<const Local*>& out) {
    if (const Local* local = ir::loaded(e); local && is_address) out.insert(local);
    for_each_part(
        e, [&](const Expr* part, bool address) { addresses(part, is_address || address, out); });
  }

  // f(expression of the statement, is it an address, or the end of a loop?)
  template <class F>
  static void for_each_of(Stmt* s, F&& f) {
    std::vector<Expr**> subscripts;
    ir::for_each_place(s, [&](ir::Place& place) {
      if (!place.local)
        for (ir::Index& i : place.indices) subscripts.push_back(&i.value);
    });
    ir::for_each_expr(s, [&](Expr*& e) {
      f(e, s->kind == StmtKind::kFor || std::ranges::find(subscripts, &e) != subscripts.end());
    });
  }

  // f(operand, is it an address?)
  template <class E, class F>
  static void for_each_part(E* e, F&& f) {
    const bool all = e->kind == ExprKind::kView || e->kind == ExprKind::kNewArray ||
                     e->kind == ExprKind::kItemAt;
    if (auto* element = ir::try_as<ir::Element>(e)) {
      f(element->array, false);
      for (auto& i : element->indices) f(i.value, true);
    } else {
      ir::for_each_operand(e, [&](auto& operand) { f(operand, all); });
    }
  }

  // ---- expressions -----------------------------------------------------------------------------
  // Can it be computed in 32 bits? `own`: is there anything in it that has no more?
  bool fits(const Expr* e, bool& own) const {
    if (!has_64_bits(e->type)) return false;
    if (const Local* local = ir::loaded(e)) {
      const bool narrow = narrow_.contains(const_cast<Local*>(local));
      own = own || narrow;
      return narrow || fits_.exprs.contains(e);
    }
    if (e->kind == ExprKind::kConst) return fits_.exprs.contains(e);
    if (const auto* c = ir::try_as<ir::Convert>(e)) {
      const types::Type* from = c->operand->type;
      const bool trunc = c->op == ConvertOp::kTrunc && from->is_float() && fits_.exprs.contains(e);
      const bool whole = c->op != ConvertOp::kTrunc && from->is_real() && fits_int32(from) &&
                         fits_.exprs.contains(e);  // uint64 of a negative number does not
      own = own || trunc || whole;
      // int64(uint64(…)), which Numba makes of bytes
      return trunc || whole || (fits_.exprs.contains(e) && fits(c->operand, own));
    }
    if (!fits_.exprs.contains(e) || !computes(e)) return false;
    if (const ir::Binary* b = shift(e)) {
      bool unasked = false;
      const bool counted = !has_64_bits(b->right->type) || is_inside(b->right) ||
                           (b->op == BinaryOp::kShr && fits(b->right, unasked));
      return counted && fits(b->left, own);
    }
    bool all = true;
    for_each_value(e, [&](const Expr* operand) { all = all && fits(operand, own); });
    return all;
  }

  static bool computes(const Expr* e) {
    if (const auto* b = ir::try_as<ir::Binary>(e))
      return b->op != BinaryOp::kPow && b->op != BinaryOp::kDiv;
    const auto* call = ir::try_as<ir::Builtin>(e);
    return e->kind == ExprKind::kUnary || e->kind == ExprKind::kSelect ||
           (call && call->row->module() == "builtins" && call->type_args.empty() &&
            call->row->range != builtins::Range::kAny);
  }

  static const ir::Binary* shift(const Expr* e) {
    const auto* b = ir::try_as<ir::Binary>(e);
    return b && (b->op == BinaryOp::kShl || b->op == BinaryOp::kShr) ? b : nullptr;
  }

  // Does a shift by so much leave bits of 32?
  bool is_inside(const Expr* count) const {
    const auto small = fits_.small.find(count);
    return small != fits_.small.end() && small->second.within({0, 31});
  }

  // The operands that are computed in the same type.
  template <class E, class F>
  static void for_each_value(E* e, F&& f) {
    if (auto* select = ir::try_as<ir::Select>(e)) {
      f(select->yes);
      f(select->no);
    } else {
      ir::for_each_operand(e, [&](auto& operand) { f(operand); });
    }
  }

  bool are_narrow(const ir::Compare& e) const {
    bool own = false;
    return fits(e.left, own) && fits(e.right, own) && own;
  }

  // Does it fit, and is there something to compute of narrower numbers?
  bool gains(const Expr* e) const {
    bool own = false;
    return fits(e, own) && own;
  }

  // ---- rewriting -------------------------------------------------------------------------------
  void stmt(Stmt* s) {
    auto* assign = ir::try_as<ir::Assign>(s);
    if (assign && narrow_.contains(assign->local)) return narrowed(assign->value);
    for_each_of(s, [&](Expr*& e, bool is_address) { expr(e, is_address); });
  }

  void expr(Expr*& e, bool is_address) {
    const ir::Builder b{program_, e->span};
    auto* convert = ir::try_as<ir::Convert>(e);
    if (convert && !is_address && convert->type->is_real() && gains(convert->operand)) {
      Expr*& from = convert->operand;
      narrowed(from);
      // uint8(int32(x)), x uint8   ->   x
      const auto* inner = ir::try_as<ir::Convert>(from);
      if (inner && inner->op == ConvertOp::kExact) from = inner->operand;
      e = from->type == e->type
              ? from
              : b.expr<ir::Convert>(e->type, ir::conversion(from->type, e->type), from);
      return;
    }
    auto* compare = ir::try_as<ir::Compare>(e);
    if (compare && are_narrow(*compare)) {
      narrowed(compare->left);
      narrowed(compare->right);
      return;
    }
    if (compare) compare_as_float32(*compare);
    const types::Type* wide = e->type;
    if (e->kind != ExprKind::kConvert && !is_address && gains(e)) {
      narrowed(e);
      e = b.expr<ir::Convert>(wide, ir::conversion(types::int32(), wide), e);
      return;
    }
    for_each_part(e, [&](Expr*& part, bool address) { expr(part, is_address || address); });
  }

  // float64(x) > 0.5   ->   x > 0.5f, of a float32 and a number that is one.
  void compare_as_float32(ir::Compare& e) const {
    const auto of_float32 = [](const Expr* side) -> Expr* {
      const auto* c = ir::try_as<ir::Convert>(side);
      const bool widens = c && c->type == types::float64() && c->operand->type == types::float32();
      return widens ? c->operand : nullptr;
    };
    for (auto [wide, number] : {std::pair{&e.left, &e.right}, std::pair{&e.right, &e.left}}) {
      Expr* narrow = of_float32(*wide);
      const ir::Const* c = ir::constant(*number);
      if (!narrow || !c || c->type != types::float64()) continue;
      const double value = c->value.number.real();
      if (!(std::fabs(value) <= FLT_MAX) || double(float(value)) != value) continue;
      *wide = narrow;
      *number = ir::Builder{program_, c->span}.floating(value, types::float32());
    }
  }

  // The same value as int32.
  void narrowed(Expr*& e) {
    const ir::Builder b{program_, e->span};
    bool own = false;
    if (!fits(e, own)) {
      expr(e, false);
      e = b.expr<ir::Convert>(types::int32(), ConvertOp::kWrap, e);
    } else if (const ir::Const* c = ir::constant(e)) {
      e = b.integer(c->value.integer, types::int32());
    } else if (Local* local = ir::loaded(e)) {
      if (narrow_.contains(local))
        e = b.expr<ir::Load>(types::int32(), local);
      else
        e = b.expr<ir::Convert>(types::int32(), ConvertOp::kWrap, e);
    } else if (auto* convert = ir::try_as<ir::Convert>(e)) {
      Expr* from = convert->operand;
      if (has_64_bits(from->type))
        narrowed(from);
      else
        expr(from, false);
      e = from->type == types::int32()
              ? from
              : b.expr<ir::Convert>(types::int32(), ir::conversion(from->type, types::int32()),
                                    from);
    } else {
      e->type = types::int32();
      if (auto* select = ir::try_as<ir::Select>(e)) expr(select->condition, false);
      if (shift(e)) return shifted(ir::as<ir::Binary>(e));
      for_each_value(e, [&](Expr*& operand) { narrowed(operand); });
    }
  }

  // By 32 and more the runtime's own shift gives what that of 64 bits gave: the sign.
  void shifted(ir::Binary* e) {
    narrowed(e->left);
    e->plain = e->plain && is_inside(e->right);
    if (has_64_bits(e->right->type))
      narrowed(e->right);
    else
      expr(e->right, false);
  }

  ir::Program& program_;
  ir::Function& f_;
  const Fits fits_;
  std::unordered_set<Local*> narrow_{};
};

}  // namespace

void narrow(ir::Program& program, ir::Function& f) { Narrow(program, f).run(); }

}  // namespace pyk2cu::emit
