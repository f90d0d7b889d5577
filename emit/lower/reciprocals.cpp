// Divisions by what a loop does not change, where fastmath allows a product.
//
//   while …: x = (x + y) / n   ->   reciprocal = 1.0 / n; while …: x = (x + y) * reciprocal
//
// GCC does so only where the divisor divides twice in a turn; a division takes three to five times
// as long as a product. In: functions under fastmath, in their final form.  Out: locals in front of
// the outermost loops around that leave the divisor as it is. Whether it is zero was asked before.
// Tested by tests/golden/passes/reciprocals.py and tests/run/test_reciprocals.py.
#include <unordered_map>

#include "emit/lower/lanes/once.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Reciprocals {
 public:
  Reciprocals(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void run() {
    block(f_.body);
    if (made_.empty()) return;
    ir::replace_stmts(f_.body, [&](Stmt* s, Block& out) {
      const auto [first, last] = made_.equal_range(s);
      for (auto at = first; at != last; ++at) out.push_back(at->second.assignment);
      return false;
    });
  }

 private:
  struct Loop {
    Stmt* stmt;
    ir::LocalSet assigned;
    Once once;  // in its body
  };
  struct Made {
    const Expr* divisor;
    Local* local;
    Stmt* assignment;
  };

  void block(Block& b) {
    for (Stmt* s : b) {
      const auto* turns = ir::try_as<ir::While>(s);
      if (!turns) divisions_of(s);
      const bool is_loop = ir::is_loop(s);
      if (is_loop) around_.push_back({s, ir::assigned_in(Block{s}), Once(body_of(s))});
      if (turns) {  // asked in every turn, of what the one before has left
        asks_ = true;
        divisions_of(s);
        asks_ = false;
      }
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      if (is_loop) around_.pop_back();
    }
  }

  static Block body_of(Stmt* loop) {
    Block all;
    ir::for_each_block(loop, [&](Block& b) { all.insert(all.end(), b.begin(), b.end()); });
    return all;
  }

  void divisions_of(Stmt* s) {
    if (around_.empty()) return;
    if (auto* u = ir::try_as<ir::Update>(s);
        u && u->op == BinaryOp::kDiv && u->value->type == u->place.type()) {
      if (Expr* product = reciprocal(u->value)) {
        u->op = BinaryOp::kMul;
        u->value = product;
      }
    }
    ir::for_each_expr(s, [&](Expr* e) {
      ir::for_each_subexpr(e, [&](Expr* part) {
        auto* division = ir::try_as<ir::Binary>(part);
        if (!division || division->op != BinaryOp::kDiv || division->rounds ||
            division->left->type != division->type)
          return;
        Expr* product =
            division->right->type == division->type ? reciprocal(division->right) : nullptr;
        if (!product) return;
        division->op = BinaryOp::kMul;
        division->right = product;
      });
    });
  }

  // 1 / e, computed in front of a loop; null: every turn has another.
  Expr* reciprocal(const Expr* e) {
    if (!e->type->is_float() || ir::constant(e)) return nullptr;
    if (Expr* found = known_reciprocal(e)) return found;
    if (asks_) return nullptr;
    Expr* said = ir::Cloner(program_).expr(e);  // of what is assigned inside of the loop
    around_.back().once.replace(program_, said);
    return ir::constant(said) ? nullptr : known_reciprocal(said);
  }

  Expr* known_reciprocal(const Expr* e) {
    if (!is_plain(e)) return nullptr;
    Stmt* outermost = nullptr;
    for (size_t k = around_.size(); k-- > 0 && !ir::reads_any(e, around_[k].assigned);)
      outermost = around_[k].stmt;
    if (!outermost) return nullptr;
    const ir::Builder b{program_, e->span};
    const auto [first, last] = made_.equal_range(outermost);
    for (auto at = first; at != last; ++at)
      if (ir::equal(at->second.divisor, e)) return b.load(at->second.local);
    f_.locals.push_back(b.temp("reciprocal", e->type));
    Local* local = f_.locals.back();
    const Expr* divisor = ir::Cloner(program_).expr(e);
    Stmt* assignment =
        b.assign(local, b.expr<ir::Binary>(e->type, BinaryOp::kDiv, b.floating(1, e->type),
                                           ir::Cloner(program_).expr(e)));
    made_.emplace(outermost, Made{divisor, local, assignment});
    return b.load(local);
  }

  // Of variables that surely have a value, at no cost that matters where no turn asks for it.
  static bool is_plain(const Expr* e) {
    if (const Local* local = ir::loaded(e)) return !local->maybe_unbound && local->lanes == 0;
    bool plain = ir::constant(e) || e->kind == ir::ExprKind::kConvert ||
                 e->kind == ir::ExprKind::kBinary || e->kind == ir::ExprKind::kUnary;
    if (const auto* b = ir::try_as<ir::Binary>(e))
      plain = b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub || b->op == BinaryOp::kMul;
    ir::for_each_operand(e, [&](const Expr* part) { plain = plain && is_plain(part); });
    return plain;
  }

  ir::Program& program_;
  ir::Function& f_;
  bool asks_ = false;  // in the condition of a loop
  std::vector<Loop> around_{};
  std::unordered_multimap<const Stmt*, Made> made_{};  // by the loop that it stands in front of
};

}  // namespace

void reciprocals(ir::Program& program, ir::Function& f) {
  if (f.options.fastmath && f.kind == ir::FunctionKind::kHost) Reciprocals(program, f).run();
}

}  // namespace pyk2cu::emit
