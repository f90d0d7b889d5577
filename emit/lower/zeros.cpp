// Sums that only some iterations make, of what may be -0.0.
//
//   for i in range(n):                     for i in range(n):
//     if x[i] > 0: s += x[i]         ->      if x[i] > 0: s = rounded(s + x[i])
//
// GCC 12 lets the other iterations add 0.0 (convert_scalar_cond_reduction of tree-if-conv.cc), and
// -0.0 + 0.0 is 0.0. It sees that in helpers too, whatever the names of what is handed on. A sum
// that begins with 0.0 never becomes -0.0: it stays as it is.
// In: functions, in their final form.  Out: Binary::rounds of what branches add to a variable, or
// take from it, that goes on as it was elsewhere; none where `fastmath` says that zeros have no
// sign. Tested by tests/golden/passes/zeros.py and tests/run/test_zeros.py.
#include <cmath>
#include <unordered_map>

#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::LocalSet;
using ir::Stmt;

namespace {

bool is_rounded(const ir::Type* type) { return type->is_float() || type->is_complex(); }

bool adds(BinaryOp op) { return op == BinaryOp::kAdd || op == BinaryOp::kSub; }

bool is_minus_zero(double x) { return x == 0 && std::signbit(x); }

// What the variables of a function get, and which of them may be -0.0.
class Values {
 public:
  explicit Values(const ir::Function& f) {
    // Those that are shared are what threads add up, each from 0.
    for (const Local* local : f.locals)
      if (local->is_param && std::ranges::find(f.shared, local) == f.shared.end())
        others_.insert(local);
    ir::for_each_stmt(f.body, [&](const Stmt* s) { add(s); });
  }

  bool may_be_minus_zero(const Local* local) const {
    LocalSet asked;
    return may_be(local, asked);
  }

  // Is it, or what it gets, negated anywhere?
  bool is_negated(const Local* local) const { return negated_.contains(local); }

 private:
  void add(const Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    if (a && a->value->kind == ir::ExprKind::kUnary) negated_.insert(a->local);
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        const auto* minus = ir::try_as<ir::Unary>(part);
        if (minus && ir::loaded(minus->operand)) negated_.insert(ir::loaded(minus->operand));
      });
    });
    if (a) values_[a->local].push_back(a->value);
    const auto* u = ir::try_as<ir::Update>(s);
    const bool stays = u && adds(u->op) && u->place.type() == u->value->type;
    const auto* loop = ir::try_as<ir::For>(s);
    ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
      const bool declares = access == ir::Access::kDeclare && s->kind == ir::StmtKind::kDeclare;
      const bool own = (a && local == a->local) || (stays && local == u->place.local);
      if (access != ir::Access::kRead && !declares && !own && !(loop && sums(*loop, local)))
        others_.insert(local);
    });
  }

  // Of which every thread begins with 0.
  static bool sums(const ir::For& loop, const Local* local) {
    return std::ranges::any_of(loop.reductions, [&](const ir::Reduction& r) {
      return r.local == local && r.op == ir::ReduceOp::kAdd;
    });
  }

  // `asked`: of which nothing speaks against it so far.
  bool may_be(const Local* local, LocalSet& asked) const {
    if (others_.contains(local)) return true;
    if (!asked.insert(local).second) return false;
    const auto it = values_.find(local);
    return it != values_.end() &&
           std::ranges::any_of(it->second, [&](const Expr* value) { return may_be(value, asked); });
  }

  bool may_be(const Expr* e, LocalSet& asked) const {
    if (e->type->is_real() && !e->type->is_float()) return false;
    if (const ir::Const* c = ir::constant(e))
      return is_minus_zero(c->value.number.real()) || is_minus_zero(c->value.number.imag());
    if (const Local* local = ir::loaded(e)) return may_be(local, asked);
    if (const auto* c = ir::try_as<ir::Convert>(e))
      return c->op == ir::ConvertOp::kRound ? is_rounded(c->operand->type)
                                            : may_be(c->operand, asked);
    if (const auto* s = ir::try_as<ir::Select>(e))
      return may_be(s->yes, asked) || may_be(s->no, asked);
    if (const auto* item = ir::try_as<ir::Item>(e)) return may_be(item->tuple, asked);
    if (const auto* tuple = ir::try_as<ir::Tuple>(e))
      return std::ranges::any_of(tuple->items,
                                 [&](const Expr* item) { return may_be(item, asked); });
    // One operand that is not will do, of a difference the left one.
    const auto* b = ir::try_as<Binary>(e);
    if (!b || !adds(b->op)) return true;
    const bool left = b->op == BinaryOp::kSub || ir::loaded(b->left) || ir::constant(b->left);
    return may_be(left ? b->left : b->right, asked);
  }

  std::unordered_map<const Local*, std::vector<const Expr*>> values_{};
  LocalSet others_{}, negated_{};
};

class Zeros {
 public:
  Zeros(ir::Program& program, ir::Function& f) : program_(program), values_(f) {
    block(f.body, {carried_in(f), branches(f.body)}, false);
  }

 private:
  // The innermost loop, or the function: what goes around it, and whether all of it does in each
  // turn.
  struct Around {
    LocalSet carried{};
    bool branches = false;
  };

  // `chooses`: is this not reached in every turn?
  void block(Block& b, const Around& around, bool chooses) {
    for (Stmt*& s : b) {
      // Those in any order have sums of their own.
      const auto* loop = ir::try_as<ir::For>(s);
      const auto* lanes = ir::try_as<ir::Lanes>(s);
      if ((loop && loop->simd) || (lanes && lanes->simd)) continue;
      if (ir::is_loop(s)) {
        ir::for_each_block(
            s, [&](Block& body) { block(body, {carried_in(s), branches(body)}, skips(body)); });
        continue;
      }
      const bool branch = s->kind == ir::StmtKind::kIf;
      ir::for_each_block(s, [&](Block& body) { block(body, around, chooses || branch); });
      statement(s, around, chooses);
    }
  }

  void statement(Stmt*& s, const Around& around, bool chooses) const {
    if (auto* r = ir::try_as<ir::Return>(s); r && r->value) result(r->value, around, chooses);
    if (auto* a = ir::try_as<ir::Assign>(s); a && around.carried.contains(a->local)) {
      // C++ compilers move what a branch alone wants into it.
      const bool moves = around.branches && !goes_on_as(a->value, a->local);
      result(a->value, around, chooses || moves);
    }
    const auto* u = ir::try_as<ir::Update>(s);
    if (!u || !(chooses || leaves_out(u->value)) || !adds(u->op)) return;
    const ir::Builder b{program_, s->span};
    Binary* sum = b.updated(*u);
    if (!sum || !goes_on(*sum, around.carried)) return;
    sum->rounds = true;
    s = b.assign(u->place.local, sum);
  }

  // Is it a sum of what the local was?
  static bool goes_on_as(const Expr* e, const Local* local) {
    const auto* sum = ir::try_as<Binary>(e);
    return sum && (ir::loaded(sum->left) == local || ir::loaded(sum->right) == local);
  }

  // x if c else 0.0, -0.0: C++ compilers know which sums these leave as they are.
  static bool leaves_out(const Expr* e) {
    const auto* s = ir::try_as<ir::Select>(e);
    const auto is_zero = [](const Expr* side) {
      const ir::Const* c = ir::constant(side);
      return c && c->value.number == 0.0;
    };
    return s && (is_zero(s->yes) || is_zero(s->no));
  }

  // What something goes on as.
  void result(Expr* e, const Around& around, bool chooses) const {
    auto* sum = ir::try_as<Binary>(e);
    const bool skips = sum && (chooses || leaves_out(sum->left) || leaves_out(sum->right));
    if (skips && goes_on(*sum, around.carried)) sum->rounds = true;
    const bool selects = e->kind == ir::ExprKind::kSelect;
    if (!selects && e->kind != ir::ExprKind::kTuple) return;
    ir::for_each_operand(e, [&](Expr* part) { result(part, around, chooses || selects); });
  }

  // s + x, x + s, s - x of what goes around; x - s where somebody negates s: that is x + s
  bool goes_on(const Binary& sum, const LocalSet& carried) const {
    if (!is_rounded(sum.type) || !adds(sum.op)) return false;
    const auto is_it = [&](const Expr* e, bool negated = false) {
      if (const auto* minus = ir::try_as<ir::Unary>(e)) e = minus->operand;
      const auto* item = ir::try_as<ir::Item>(e);
      const Local* local = ir::loaded(item ? item->tuple : e);
      return local && local->lanes == 0 && carried.contains(local) &&
             values_.may_be_minus_zero(local) && (!negated || values_.is_negated(local));
    };
    return is_it(sum.left) || is_it(sum.right, sum.op == BinaryOp::kSub);
  }

  // May a turn end before the body does?
  static bool skips(const Block& body) {
    return ir::any_stmt(body, [](const Stmt* s) { return s->kind == ir::StmtKind::kContinue; });
  }

  static bool branches(const Block& body) {
    bool found = ir::any_stmt(body, [](const Stmt* s) { return s->kind == ir::StmtKind::kIf; });
    ir::for_each_expr_in(body, [&](const Expr* e) {
      found = found || (e->kind == ir::ExprKind::kSelect && is_rounded(e->type));
    });
    return found;
  }

  // Of loops that nothing leaves: of others g++ 12 makes no vectors.
  static LocalSet carried_in(const Stmt* loop) {
    LocalSet carried;
    const LocalSet assigned = ir::assigned_in(loop);
    ir::for_each_block(loop, [&](const Block& body) {
      if (ir::any_stmt(body, [&](const Stmt* s) { return leaves(s, loop); })) return;
      const Flow flow = flow_of(body);
      for (const Local* local : assigned)
        if (flow.exposes(local)) carried.insert(local);
      follow(body, carried);
    });
    return carried;
  }

  static bool leaves(const Stmt* s, const Stmt* loop) {
    const auto* left = ir::try_as<ir::Break>(s);
    return (left && left->loop == loop) || s->kind == ir::StmtKind::kReturn ||
           s->kind == ir::StmtKind::kRaise;
  }

  // Of functions that are given a sum and return it: of a loop around the call.
  static LocalSet carried_in(const ir::Function& f) {
    LocalSet carried, returned;
    ir::for_each_stmt(f.body, [&](const Stmt* s) {
      if (const auto* r = ir::try_as<ir::Return>(s); r && r->value) add_results(r->value, returned);
    });
    const LocalSet assigned = ir::assigned_in(f.body);
    for (const Local* local : f.locals)
      if (local->is_param && (returned.contains(local) || assigned.contains(local)))
        carried.insert(local);
    for (const Local* local : returned) carried.insert(local);
    follow(f.body, carried);
    return carried;
  }

  static void add_results(const Expr* e, LocalSet& carried) {
    if (const Local* local = ir::loaded(e)) carried.insert(local);
    const auto* select = ir::try_as<ir::Select>(e);
    if (!select && e->kind != ir::ExprKind::kTuple) return;
    ir::for_each_operand(e, [&](const Expr* part) { add_results(part, carried); });
  }

  // t = s, and s = t
  static void follow(const Block& body, LocalSet& carried) {
    for (bool more = true; more;) {
      more = false;
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        LocalSet from;
        if (a) add_results(a->value, from);
        for (const Local* local : from) {
          if (carried.contains(local)) more = carried.insert(a->local).second || more;
          if (carried.contains(a->local)) more = carried.insert(local).second || more;
        }
      });
    }
  }

  ir::Program& program_;
  const Values values_;
};

}  // namespace

void zeros(ir::Program& program, ir::Function& f) {
  if (!f.is_relaxed()) Zeros(program, f);
}

}  // namespace pyk2cu::emit
