// Loops that ask the same in every turn, one for each answer.
//
//   for i in range(n):                       if mode == 0:
//     for k in range(-w, w + 1):               for i in range(n):
//       j = i + k                                for k in range(-w, w + 1):
//       if mode == 0:                              j = i + k
//         if j < 0 or j >= n: continue             if j < 0 or j >= n: continue
//       else:                          ->          s += a[j]
//         j = abs(j)                         else:
//       s += a[j]                              for i in range(n): …j = abs(j)…
//
// So do branches of functions that the loop calls: their statements are taken into it.
// Of each version alone more is known: which elements are there, what lies side by side, whether
// there is anything to compute for one lane and not for another.
// In:   functions for the CPU, before ranges.  Out: the outermost of the loops in which the answer
// stays the same, once for each answer; only of innermost loops the branches, which are much of
// them, and no checks. Tested by tests/golden/passes/unswitch and tests/run/test_unswitch.py.
#include <algorithm>

#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/lanes/inline.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr size_t kMostStmts = 48;  // of a loop that is written twice
constexpr size_t kMostTaken = 24;  // of a function that a loop calls
constexpr size_t kShare = 4;       // ... of which a branch is at least one part
constexpr int kMostAnswers = 3;    // of which one is "none of the others"

bool has_loop(const Block& b) {
  return ir::any_stmt(b, [](const Stmt* s) { return ir::is_loop(s); });
}

// A check: nothing else happens.
bool only_raises(const Block& b) { return b.size() == 1 && b[0]->kind == StmtKind::kRaise; }

// Of numbers and extents alone, wherever it is computed.
bool is_plain(const Expr* e) {
  const auto* b = ir::try_as<ir::Binary>(e);
  bool plain =
      e->kind == ExprKind::kCompare || e->kind == ExprKind::kLogical ||
      e->kind == ExprKind::kUnary || e->kind == ExprKind::kConst || e->kind == ExprKind::kConvert ||
      e->kind == ExprKind::kQuery ||
      (b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub || b->op == BinaryOp::kMul ||
             b->op == BinaryOp::kAnd || b->op == BinaryOp::kOr));
  if (const Local* local = ir::loaded(e)) return !local->maybe_unbound;
  ir::for_each_operand(e, [&](const Expr* operand) { plain = plain && is_plain(operand); });
  return plain;
}

class Unswitch {
 public:
  Unswitch(ir::Program& program, ir::Function& f) : program_(program), f_(f), behind_(f.body) {
    block(f.body);
  }

 private:
  void block(Block& b) {
    for (Stmt*& s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) take_in(*loop);
      Stmt* made = loop ? versions(*loop, behind_.of(loop), kMostAnswers) : nullptr;
      if (made)
        s = made;
      else
        ir::for_each_block(s, [&](Block& inner) { block(inner); });
    }
  }

  // w = kernel(u, kind)   ->   if kind == 0: w = exp(-u * u) else: …   of innermost loops
  void take_in(ir::For& loop) {
    if (has_loop(*loop.body)) {
      ir::for_each_stmt(*loop.body, [&](Stmt* s) {
        auto* inner = ir::try_as<ir::For>(s);
        if (inner && !has_loop(*inner->body)) take_in(*inner);
      });
      return;
    }
    const ir::LocalSet changed = ir::assigned_in(&loop);
    bool asks = false;
    ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      asks = asks || (call && asks_alike(*call, changed));
    });
    if (!asks) return;
    Block* body = ir::Cloner(program_).block(*loop.body);
    const size_t locals = f_.locals.size();
    if (inline_calls(program_, f_, *body) || has_loop(*body)) return f_.locals.resize(locals);
    *loop.body = std::move(*body);
  }

  // Does the function ask something of parameters that are the same in all turns?
  static bool asks_alike(const ir::Call& call, const ir::LocalSet& changed) {
    const ir::Function& callee = *call.callee;
    if (has_loop(callee.body) || count_stmts(callee.body) > kMostTaken) return false;
    const ir::LocalSet assigned = ir::assigned_in(callee.body);
    const auto is_alike = [&](const Local* local) {
      const auto at = std::ranges::find(callee.params, local, &ir::Param::local);
      if (at == callee.params.end() || assigned.contains(local)) return false;
      const Expr* given = call.args[size_t(at - callee.params.begin())];
      return !ir::constant(given) && is_plain(given) && !ir::reads_any(given, changed);
    };
    return ir::any_stmt(callee.body, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      bool alike = branch && is_plain(branch->condition) && !only_raises(*branch->body);
      if (!alike) return false;
      int locals = 0;
      ir::for_each_subexpr(std::as_const(branch->condition), [&](const Expr* part) {
        const Local* local = ir::loaded(part);
        locals += local != nullptr;
        alike = alike && (!local || is_alike(local));
      });
      return alike && locals > 0;
    });
  }

  // if asked: …the loop where it holds… else: …the loop where it does not…; null: nothing is asked
  // in it that is the same all the time.
  Stmt* versions(ir::For& loop, const ir::LocalSet& read_behind, int answers) {
    if (answers < 2 || count_stmts(*loop.body) > kMostStmts) return nullptr;
    const ir::LocalSet changed = ir::assigned_in(&loop);
    const Expr* asked = find(*loop.body, loop, changed, !has_loop(*loop.body));
    if (!asked) return nullptr;
    const ir::Builder build{program_, loop.span};
    Expr* condition = ir::Cloner(program_).expr(asked);
    auto* other = copy_with_own(program_, f_, loop, read_behind);
    answer(*loop.body, condition, true);
    answer(*other->body, condition, false);
    Stmt* more = versions(*other, read_behind, answers - 1);
    Block *yes = build.block({&loop}), *no = build.block({more ? more : other});
    return build.if_(condition, yes, no);
  }

  // Of a long loop a short branch is not worth another one.
  static bool is_much(const ir::If& branch, const ir::For& loop) {
    const size_t own = 1 + count_stmts(*branch.body) + count_stmts(*branch.orelse);
    return own * kShare >= count_stmts(*loop.body);
  }

  // A condition that has the same answer in all turns of the loop, in the block of an innermost
  // one; null: there is none.
  static const Expr* find(const Block& b, const ir::For& loop, const ir::LocalSet& changed,
                          bool innermost) {
    for (const Stmt* s : b) {
      const auto* branch = ir::try_as<ir::If>(s);
      const bool asks = branch && innermost && !ir::constant(branch->condition) &&
                        is_plain(branch->condition) && !ir::reads_any(branch->condition, changed) &&
                        !has_loop(*branch->body) && !has_loop(*branch->orelse) &&
                        !only_raises(*branch->body) && !only_raises(*branch->orelse);
      if (asks && is_much(*branch, loop)) return branch->condition;
      const Expr* found = nullptr;
      ir::for_each_block(s, [&](const Block& inner) {
        const bool is_last = ir::is_loop(s) ? !has_loop(inner) : innermost;
        if (!found) found = find(inner, loop, changed, is_last);
      });
      if (found) return found;
    }
    return nullptr;
  }

  // Every branch that asks it, by the answer.
  static void answer(Block& b, const Expr* condition, bool holds) {
    Block all;
    for (Stmt* s : b) {
      auto* branch = ir::try_as<ir::If>(s);
      if (branch && ir::equal(branch->condition, condition)) {
        Block& side = holds ? *branch->body : *branch->orelse;
        answer(side, condition, holds);
        all.insert(all.end(), side.begin(), side.end());
        if (ir::ends(side)) break;
        continue;
      }
      ir::for_each_block(s, [&](Block& inner) { answer(inner, condition, holds); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  ir::Program& program_;
  ir::Function& f_;
  const ReadBehind behind_;
};

}  // namespace

void unswitch(ir::Program& program, ir::Function& f) { Unswitch(program, f); }

}  // namespace pyk2cu::emit
