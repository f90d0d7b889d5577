// Conditions that are asked as a whole.
//
//   if c == 3 or c == 2 and a[i, j] == 1:   ->   if (c == 3) | ((c == 2) & (a[i, j] == 1)):
//
// Python asks the rest only where the first part leaves it open. Of elements that are not always
// read vectors need masks, which there are none of for bytes: C++ compilers keep the ways then, and
// the whole loop is done one by one. Where arrays surely have the element it may always be read.
// What is asked of the turn itself stays: it says where loops have ends.
// In:   functions behind ranges.  Out: `&` and `|` in innermost loops without ways out.
// Tested by tests/golden/passes/whole and tests/run/test_unroll.py.
#include "emit/lower/inside.h"
#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kFew = 8;  // operations that are asked in any case

class Whole {
 public:
  Whole(ir::Program& program, ir::Function& f) : program_(program), inside_(program, f) {}

  void block(Block& b) {
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) inside_.enter(loop);
      if (loop && is_straight(*loop->body))
        turn(*loop->body);
      else
        ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (loop) inside_.leave();
    }
  }

 private:
  static bool is_straight(const Block& body) {
    return !ir::any_stmt(body, [](const Stmt* s) {
      return ir::is_loop(s) || s->kind == ir::StmtKind::kBreak ||
             s->kind == ir::StmtKind::kContinue || s->kind == ir::StmtKind::kReturn;
    });
  }

  void turn(Block& body) {
    loaded_ = {};
    for (size_t before = 1; before != loaded_.size();) {
      before = loaded_.size();
      ir::for_each_stmt(body, [&](const Stmt* s) {
        bool loads = false;
        ir::for_each_expr(s, [&](const Expr* e) { loads = loads || is_of_data(e); });
        ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
          if (loads && access != ir::Access::kRead) loaded_.insert(local);
        });
      });
    }
    ir::for_each_stmt(body, [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { ask_all(e); }); });
  }

  bool is_of_data(const Expr* e) const { return ir::reads_memory(e) || ir::reads_any(e, loaded_); }

  void ask_all(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { ask_all(operand); });
    auto* both = ir::try_as<ir::Logical>(e);
    if (!both) return;
    int operations = 0;
    if (ir::has_effect(both->left) || !are_of_data(both->left) || !ir::reads_memory(both->right) ||
        !is_cheap(both->right, operations) || operations > kFew)
      return;
    e = ir::Builder{program_, e->span}.plain(both->is_and ? BinaryOp::kAnd : BinaryOp::kOr,
                                             both->left, anywhere(both->right));
  }

  // Every part of the condition.
  bool are_of_data(const Expr* e) const {
    const auto* both = ir::try_as<ir::Logical>(e);
    const auto* all = ir::try_as<ir::Binary>(e);
    if (both) return are_of_data(both->left) && are_of_data(both->right);
    if (all && e->type->is_bool()) return are_of_data(all->left) && are_of_data(all->right);
    return is_of_data(e);
  }

  // Of numbers and truths that are there in any case; nothing that is slow, raises or traps.
  bool is_cheap(const Expr* e, int& operations) {
    if (!e->type->is_real()) return false;
    if (ir::constant(e)) return true;
    if (const Local* local = ir::loaded(e)) return !local->maybe_unbound;
    if (const auto* element = ir::try_as<ir::Element>(e)) return inside_(*element);
    const auto* b = ir::try_as<ir::Binary>(e);
    const auto* c = ir::try_as<ir::Convert>(e);
    bool cheap = b ? b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub ||
                         b->op == BinaryOp::kMul || b->op == BinaryOp::kAnd ||
                         b->op == BinaryOp::kOr || b->op == BinaryOp::kXor
                 : c ? c->op != ir::ConvertOp::kTrunc
                     : e->kind == ExprKind::kCompare || e->kind == ExprKind::kLogical ||
                           e->kind == ExprKind::kUnary;
    ++operations;
    ir::for_each_operand(e, [&](const Expr* part) { cheap = cheap && is_cheap(part, operations); });
    return cheap;
  }

  ir::Program& program_;
  Inside inside_;
  ir::LocalSet loaded_{};  // what a turn computes of elements
};

}  // namespace

void whole(ir::Program& program, ir::Function& f) { Whole(program, f).block(f.body); }

}  // namespace pyk2cu::emit
