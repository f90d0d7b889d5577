// Whole numbers of which only the low 32 bits are demanded, computed in 32 bits.
//
//   int32(int64(c[i]) + int64(a[i]) * int64(b[i]))   ->   c[i] + a[i] * b[i], all int32
//   (seed * 1103515245 + 12345) & 0x7fffffff         ->   int64((int32(seed) * … + …) & …)
//   total = total + int64(a[i]) * int64(b[i]); … c[i] = int32(total)   ->   total is int32
//   count = count + 1; … count % 2 == 1, beside float32                ->   count is int32
//   while …: x = (x * a + b) & m                 ->   x_low = x_low * a + b; x = x_low & m
//
// Sums, differences, products, bits and left shifts modulo 2**32 hang on nothing above; those of 64
// bits take twice the vectors, and no vector multiplies 64 bits before AVX-512. What fits 32 bits
// anyhow is left to narrow, which knows more to do with it.
// In: a function behind ranges.  Out: the same values; what may exceed 32 bits wraps, as
// Binary::plain is cleared. Tested by tests/golden/passes/demanded and tests/run/test_demanded.py.
#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "emit/lower/compared.h"
#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "emit/lower/ranges.h"
#include "emit/lower/retypable.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::ConvertOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int64_t kAllBits = 0xffffffff;

// f(operand) for those whose low bits are all that the low bits of `e` hang on; false: there are
// none such.
template <class E, class F>
bool for_each_low(E* e, F&& f) {
  if (!has_64_bits(e->type)) return false;
  if (auto* b = ir::try_as<ir::Binary>(e)) {
    if (b->op == BinaryOp::kShl) {
      const ir::Const* by = ir::constant(b->right);
      if (!by || by->value.integer < 0 || by->value.integer >= 32) return false;
      f(b->left);
      return true;
    }
    if (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub && b->op != BinaryOp::kMul &&
        b->op != BinaryOp::kAnd && b->op != BinaryOp::kOr && b->op != BinaryOp::kXor)
      return false;
    f(b->left);
    f(b->right);
    return true;
  }
  if (auto* u = ir::try_as<ir::Unary>(e)) {
    f(u->operand);
    return true;
  }
  if (auto* s = ir::try_as<ir::Select>(e)) {
    f(s->yes);
    f(s->no);
    return true;
  }
  auto* c = ir::try_as<ir::Convert>(e);
  if (!c || !has_64_bits(c->operand->type)) return false;
  f(c->operand);
  return true;
}

bool is_ring(const Expr* e) {
  return for_each_low(e, [](const Expr*) {});
}

// int32(x), uint8(x) of a wide one
bool is_cut(const Expr* e) {
  const auto* c = ir::try_as<ir::Convert>(e);
  return c && c->op == ConvertOp::kWrap && has_32_bits(c->type) && has_64_bits(c->operand->type);
}

// The bits that are left of x in x & 0xffff and x % 65536; none: it is nothing like that.
std::optional<int64_t> low_bits_of(const Expr* e) {
  const auto* b = ir::try_as<ir::Binary>(e);
  const ir::Const* right = b && has_64_bits(e->type) ? ir::constant(b->right) : nullptr;
  if (!right || (b->op != BinaryOp::kAnd && b->op != BinaryOp::kMod)) return std::nullopt;
  int64_t bits = right->value.integer;
  if (b->op == BinaryOp::kMod) {
    if (bits <= 0 || (bits & (bits - 1)) != 0) return std::nullopt;
    --bits;
  }
  return bits >= 0 && bits <= kAllBits ? std::optional(bits) : std::nullopt;
}

// Are all floats that it computes float32, if there are any?
bool computes_float32(const ir::Function& f) {
  bool narrow = false, wide = false;
  const auto look = [&](auto&& self, const Expr* e) -> void {
    if (e->type->is_float()) (e->type->bits == 32 ? narrow : wide) = true;
    const auto* compare = ir::try_as<ir::Compare>(e);
    if (!compare) return ir::for_each_operand(e, [&](const Expr* part) { self(self, part); });
    const Expr* left = compared(compare->left, compare->right);
    const Expr* right = compared(compare->right, compare->left);
    // A constant is compared with what is narrow as one.
    if (right == compare->right || !ir::constant(left)) self(self, left);
    if (left == compare->left || !ir::constant(right)) self(self, right);
  };
  ir::for_each_stmt(f.body, [&](const Stmt* s) {
    ir::for_each_expr(s, [&](const Expr* e) { look(look, e); });
  });
  return narrow && !wide;
}

class Demanded {
 public:
  Demanded(ir::Program& program, ir::Function& f) : program_(program), f_(f), fits_(fits_of(f)) {}

  void run() {
    choose();
    ir::for_each_stmt(f_.body, [&](Stmt* s) {
      auto* a = ir::try_as<ir::Assign>(s);
      if (a && low_.contains(a->local)) return low(a->value);
      ir::for_each_expr(s, [&](Expr*& e) { rewrite(e); });
    });
    for (const Local* local : low_) const_cast<Local*>(local)->type = types::int32();
  }

 private:
  // ---- variables -------------------------------------------------------------------------------
  // Those that are assigned sums and products of narrow numbers, of which nobody asks for more.
  void choose() {
    ir::LocalSet own = retypable(f_);
    for (const Local* local : handed_on_by_cores()) own.erase(local);
    std::vector<const ir::Assign*> assigns;
    ir::for_each_stmt(std::as_const(f_.body), [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (!a || !has_64_bits(a->local->type) || !own.contains(a->local)) return;
      assigns.push_back(a);
      if (fits_.too_wide.contains(a->local)) low_.insert(a->local);
    });
    for (size_t before = ~size_t{0}; before != low_.size();) {
      before = low_.size();
      ir::for_each_stmt(std::as_const(f_.body), [&](const Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        const bool all = a && low_.contains(a->local);
        ir::for_each_expr(s, [&](const Expr* e) { look(e, all); });
      });
    }
    // Of these, what gains by it, and what is computed of that.
    const ir::LocalSet may = std::exchange(low_, {});
    if (computes_float32(f_)) low_ = counters(assigns, may);
    for (size_t before = ~size_t{0}; before != low_.size();) {
      before = low_.size();
      for (const ir::Assign* a : assigns)
        if (may.contains(a->local) && (gains(a->value) || has_own(a->value))) low_.insert(a->local);
    }
  }

  // What iterations of parallel loops give to one another: OpenMP adds that up in the type's own
  // arithmetic, which must not overflow.
  ir::LocalSet handed_on_by_cores() const {
    ir::LocalSet all;
    ir::for_each_stmt(std::as_const(f_.body), [&](const Stmt* s) {
      const auto* loop = ir::try_as<ir::For>(s);
      if (!loop || loop->loop != ir::LoopKind::kParallel) return;
      const Flow flow = flow_of(*loop->body);
      for (const Local* local : ir::assigned_in(*loop->body))
        if (flow.exposes(local)) all.insert(local);
    });
    return all;
  }

  // Those that nothing but constants, and one another, is added to: there is nothing to convert,
  // and beside float32 they are as wide as its masks.
  static ir::LocalSet counters(const std::vector<const ir::Assign*>& assigns, ir::LocalSet found) {
    const std::function<bool(const Expr*)> counts = [&](const Expr* e) {
      if (ir::constant(e)) return true;
      if (const Local* local = ir::loaded(e)) return found.contains(local);
      bool all = is_ring(e);
      for_each_low(e, [&](const Expr* operand) { all = all && counts(operand); });
      return all;
    };
    for (size_t before = ~size_t{0}; before != found.size();) {
      before = found.size();
      for (const ir::Assign* a : assigns)
        if (!counts(a->value)) found.erase(a->local);
    }
    return found;
  }

  // is_low: whoever asks takes the low bits.
  void look(const Expr* e, bool is_low) {
    const Local* local = ir::loaded(e);
    if (local && !is_low) low_.erase(local);
    if (is_cut(e)) return look(ir::as<ir::Convert>(e)->operand, true);
    std::vector<const Expr*> asked;
    if (low_bits_of(e)) asked.push_back(ir::as<ir::Binary>(e)->left);
    if (is_low) for_each_low(e, [&](const Expr* operand) { asked.push_back(operand); });
    ir::for_each_operand(e, [&](const Expr* operand) {
      look(operand, std::ranges::find(asked, operand) != asked.end());
    });
  }

  // ---- expressions -----------------------------------------------------------------------------
  // Is there a product of any numbers, or something else to compute of narrower ones?
  static bool gains(const Expr* e) {
    const auto* b = ir::try_as<ir::Binary>(e);
    bool found = b && b->op == BinaryOp::kMul && has_64_bits(e->type);
    for_each_low(e, [&](const Expr* operand) {
      const auto* c = ir::try_as<ir::Convert>(operand);
      found = found || gains(operand) || (c && has_32_bits(c->operand->type));
    });
    return found;
  }

  bool has_own(const Expr* e) const {
    if (const Local* local = ir::loaded(e)) return low_.contains(local);
    bool found = false;
    for_each_low(e, [&](const Expr* operand) { found = found || has_own(operand); });
    return found;
  }

  bool pays(const Expr* e) const { return has_own(e) || (!fits_.exprs.contains(e) && gains(e)); }

  void rewrite(Expr*& e) {
    const ir::Builder b{program_, e->span};
    if (is_cut(e)) {
      Expr*& from = ir::as<ir::Convert>(e)->operand;
      if (!pays(from)) return rewrite(from);
      low(from);
      e = as(e->type, from);
    } else if (const auto rest = low_bits_of(e); rest && pays(ir::as<ir::Binary>(e)->left)) {
      const types::Type* wide = e->type;
      const int64_t bits = *rest;
      Expr* left = ir::as<ir::Binary>(e)->left;
      low(left);
      if (bits != kAllBits)
        left = b.expr<ir::Binary>(types::int32(), BinaryOp::kAnd, left,
                                  b.integer(int32_t(bits), types::int32()));
      if (bits > INT32_MAX) left = as(types::integer(32, false), left);
      e = as(wide, left);
    } else {
      ir::for_each_operand(e, [&](Expr*& operand) { rewrite(operand); });
    }
  }

  // The value of `e` in the type.
  Expr* as(const types::Type* type, Expr* e) const {
    if (e->type == type) return e;
    const ir::Builder b{program_, e->span};
    return b.expr<ir::Convert>(type, ir::conversion(e->type, type), e);
  }

  // It fits, and what it is computed of: nothing wraps.
  bool all_fit(const Expr* e) const {
    bool all = fits_.exprs.contains(e);
    for_each_low(e, [&](const Expr* operand) { all = all && fits_.exprs.contains(operand); });
    return all;
  }

  Expr* as_int32(const ir::Const& c) const {
    return ir::Builder{program_, c.span}.integer(int32_t(c.value.integer), types::int32());
  }

  // The low bits as int32.
  void low(Expr*& e) {
    const Local* local = ir::loaded(e);
    const ir::Builder b{program_, e->span};
    if (local && low_.contains(local)) {
      e = b.expr<ir::Load>(types::int32(), const_cast<Local*>(local));
    } else if (const ir::Const* c = ir::constant(e)) {
      e = as_int32(*c);
    } else if (auto* convert = ir::try_as<ir::Convert>(e);
               convert &&
               (has_64_bits(convert->operand->type) || has_32_bits(convert->operand->type))) {
      Expr* from = convert->operand;
      has_64_bits(from->type) ? low(from) : rewrite(from);
      e = as(types::int32(), from);
    } else if (is_ring(e)) {
      const bool fits = all_fit(e);
      for_each_low(e, [&](Expr*& part) { low(part); });
      e->type = types::int32();
      if (auto* select = ir::try_as<ir::Select>(e)) rewrite(select->condition);
      if (auto* unary = ir::try_as<ir::Unary>(e)) unary->plain = unary->plain && fits;
      auto* binary = ir::try_as<ir::Binary>(e);
      if (!binary) return;
      const bool shift = binary->op == BinaryOp::kShl;
      if (shift) binary->right = as_int32(*ir::constant(binary->right));
      binary->plain = binary->plain && (fits || shift);
    } else {
      rewrite(e);
      e = as(types::int32(), e);
    }
  }

  ir::Program& program_;
  ir::Function& f_;
  const Fits fits_;
  ir::LocalSet low_{};
};

// ---- generators --------------------------------------------------------------------------------

// Numbers that a loop masks in every turn, whose next low bits hang on nothing above them: the next
// turn waits for no mask.
class Generators {
 public:
  Generators(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(ir::Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      ir::for_each_block(b[k], [&](ir::Block& inner) { block(inner); });
      const auto* counted = ir::try_as<ir::For>(b[k]);
      const bool is_serial = counted && counted->loop == ir::LoopKind::kSerial;
      if (!is_serial && b[k]->kind != ir::StmtKind::kWhile) continue;
      std::vector<Stmt*> first;
      ir::for_each_block(b[k], [&](ir::Block& body) { split(*b[k], body, first); });
      b.insert(b.begin() + ptrdiff_t(k), first.begin(), first.end());
      k += first.size();
    }
  }

 private:
  // In the blocks of one turn.
  void split(const Stmt& loop, ir::Block& b, std::vector<Stmt*>& first) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (b[k]->kind == ir::StmtKind::kIf)
        ir::for_each_block(b[k], [&](ir::Block& side) { split(loop, side, first); });
      auto* a = ir::try_as<ir::Assign>(b[k]);
      if (!a || !is_masked(*a) || !is_only_one(*a, loop)) continue;
      auto* masked = ir::as<ir::Binary>(a->value);
      const ir::Builder build{program_, a->span};
      f_.locals.push_back(build.temp(std::string(a->local->name.str()) + "_low", a->local->type));
      Local* low = f_.locals.back();
      Expr* next = masked->left;
      put(next, a->local, low);
      masked->left = build.load(low);
      masked->plain = false;  // it may be negative
      first.push_back(build.assign(low, build.load(a->local)));
      b.insert(b.begin() + ptrdiff_t(k++), build.assign(low, next));
    }
  }

  // x = f(x) & 2**k - 1, of which the low bits hang on those of x alone.
  static bool is_masked(const ir::Assign& a) {
    const auto* b = ir::try_as<ir::Binary>(a.value);
    const ir::Const* right =
        b && has_64_bits(a.local->type) && a.local->lanes == 0 ? ir::constant(b->right) : nullptr;
    if (!right || a.value->type != a.local->type || b->left->type != a.local->type) return false;
    const uint64_t bits = uint64_t(right->value.integer);
    const bool masks = (b->op == BinaryOp::kAnd && std::has_single_bit(bits + 1)) ||
                       (b->op == BinaryOp::kMod && std::has_single_bit(bits));
    return masks && right->value.integer > 0 && is_ring(b->left) && ir::reads(b->left, a.local) &&
           hangs_on_low(b->left, a.local);
  }

  static bool hangs_on_low(const Expr* e, const Local* x) {
    if (ir::loaded(e) == x || !ir::reads(e, x)) return true;
    const auto* select = ir::try_as<ir::Select>(e);
    bool all = is_ring(e) && !(select && ir::reads(select->condition, x));
    for_each_low(e, [&](const Expr* part) { all = all && hangs_on_low(part, x); });
    return all;
  }

  static bool is_only_one(const ir::Assign& a, const Stmt& loop) {
    int times = 0;
    ir::for_each_block(&loop, [&](const ir::Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        ir::for_each_local(s, [&](const Local* local, ir::Access access) {
          times += local == a.local && access != ir::Access::kRead;
        });
      });
    });
    return times == 1 && !a.local->maybe_unbound;
  }

  void put(Expr*& e, const Local* x, Local* low) const {
    if (ir::loaded(e) == x) {
      e = ir::Builder{program_, e->span}.load(low);
      return;
    }
    if (!ir::reads(e, x)) return;
    if (auto* b = ir::try_as<ir::Binary>(e)) b->plain = false;
    if (auto* u = ir::try_as<ir::Unary>(e)) u->plain = false;
    for_each_low(e, [&](Expr*& part) { put(part, x, low); });
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void demanded(ir::Program& program, ir::Function& f) {
  Generators(program, f).block(f.body);
  bool asks = false;
  ir::for_each_expr_in(std::as_const(f.body),
                       [&](const Expr* e) { asks = asks || is_cut(e) || low_bits_of(e); });
  if (asks) Demanded(program, f).run();
}

}  // namespace pyk2cu::emit
