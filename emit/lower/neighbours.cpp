// Neighbours around the end of a line, without a division.
//
//   for j in range(m):
//     … s[i, (j + 1) % m] …        ->   s[i, 0 if j + 1 == m else j + 1]
//     … s[i, (j - 1 + m) % m] …    ->   s[i, m - 1 if j == 0 else j - 1]
//
// A division takes ten times as long as the choice. Borders have taken the ends off before, where
// iterations are independent: these are the others, of a lattice that a sweep changes as it goes.
//
// In:   functions behind lanes, in their final form.  Out: choices in place of remainders by the
// end of a loop, which the source gives it. Tested by tests/golden/passes/neighbours.py and
// tests/run/test_neighbours.py.
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

namespace {

class Neighbours {
 public:
  Neighbours(ir::Program& program, const ir::Function& f) : program_(program) {
    const auto times = ir::count_assignments(f.body);
    ir::for_each_stmt(f.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      if (a && !a->local->is_param && times.at(a->local) == 1 &&
          a->value->kind == ir::ExprKind::kQuery)
        extents_.insert(a->local);
    });
  }

  void block(Block& b) {
    for (Stmt* s : b) {
      ir::for_each_expr(s, [&](Expr*& e) { rewrite(e); });
      const auto* loop = ir::try_as<ir::For>(s);
      const bool is_line = loop && is_line_of(*loop);
      if (is_line) lines_.push_back(loop);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (is_line) lines_.pop_back();
    }
  }

 private:
  // From 0 to an end that stays: inside, the end is above 0.
  static bool is_line_of(const ir::For& loop) {
    const ir::LocalSet assigned = ir::assigned_in(*loop.body);
    return counts_by_one(loop) && ir::is_int_const(loop.lo, 0) && !assigned.contains(loop.index) &&
           !ir::reads_memory(loop.hi) && !ir::has_effect(loop.hi) &&
           !ir::reads_any(loop.hi, assigned);
  }

  // Of an array: no machine has as many elements as half the numbers of 64 bits.
  bool is_extent(const Expr* e) const {
    return e->kind == ir::ExprKind::kQuery || extents_.contains(ir::loaded(e));
  }
  static bool is_one_step(int64_t number) { return -1 <= number && number <= 1; }

  // index * indices + end * ends + number
  struct Terms {
    int indices = 0, ends = 0;
    int64_t number = 0;
    bool is_known = true;
    bool is_plain = true;  // nothing overflows
  };
  static void add(const Expr* e, const ir::For& line, int sign, Terms& sum) {
    const auto* b = ir::try_as<ir::Binary>(e);
    if (ir::loaded(e) == line.index) {
      sum.indices += sign;
    } else if (ir::equal(e, line.hi)) {
      sum.ends += sign;
    } else if (const ir::Const* c = ir::constant(e); c && is_one_step(c->value.integer)) {
      sum.number += sign * c->value.integer;
    } else if (b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub)) {
      sum.is_plain = sum.is_plain && b->plain;
      add(b->left, line, sign, sum);
      add(b->right, line, b->op == BinaryOp::kAdd ? sign : -sign, sum);
    } else {
      sum.is_known = false;
    }
  }

  void rewrite(Expr*& e) const {
    ir::for_each_operand(e, [&](Expr*& operand) { rewrite(operand); });
    const auto* rest = ir::try_as<ir::Binary>(e);
    if (!rest || rest->op != BinaryOp::kMod || rest->type != types::int64()) return;
    for (const ir::For* line : lines_) {
      if (!ir::equal(rest->right, line->hi)) continue;
      Terms sum;
      add(rest->left, *line, 1, sum);
      const bool is_near =
          sum.is_known && sum.indices == 1 && is_one_step(sum.number) &&
          (sum.ends == 0 || (sum.ends == 1 && (sum.is_plain || is_extent(line->hi))));
      if (!is_near) continue;
      e = place(*line, sum.number, rest->right);
      return;
    }
  }

  Expr* place(const ir::For& line, int64_t by, Expr* end) const {
    const ir::Builder b{program_, end->span};
    const auto index = [&] { return b.load(line.index); };
    if (by == 0) return index();
    if (by < 0)
      return choice(b, b.compare(ir::CompareOp::kEq, index(), b.integer(0)),
                    b.plain(BinaryOp::kSub, end, b.integer(1)),
                    b.plain(BinaryOp::kSub, index(), b.integer(1)));
    const auto next = [&] { return b.plain(BinaryOp::kAdd, index(), b.integer(1)); };
    return choice(b, b.compare(ir::CompareOp::kEq, next(), end), b.integer(0), next());
  }
  static Expr* choice(const ir::Builder& b, Expr* is_end, Expr* yes, Expr* no) {
    return b.expr<ir::Select>(types::int64(), is_end, yes, no);
  }

  ir::Program& program_;
  ir::LocalSet extents_{};               // of arrays
  std::vector<const ir::For*> lines_{};  // around
};

}  // namespace

void neighbours(ir::Program& program, ir::Function& f) { Neighbours(program, f).block(f.body); }

}  // namespace pyk2cu::emit
