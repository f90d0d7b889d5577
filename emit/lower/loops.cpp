// Ends and steps of counted loops that would be computed anew in every turn get a name before it.
//
//   for (i = 0; i < f(n); ++i)   ->   const i_end = f(n); for (i = 0; i < i_end; ++i)
//
// In:   For.  Out: For whose end and step are cheap and the same before every turn, but for loops
// over a range object, which evaluate theirs once. Tested by tests/golden.
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::Local;

namespace {

// Cheap, and the same before every turn.
bool is_invariant(const Expr* e, const ir::LocalSet& assigned) {
  bool same = true;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    switch (part->kind) {
      case ExprKind::kConst:
      case ExprKind::kConvert:
      case ExprKind::kQuery:
      case ExprKind::kUnary:
      case ExprKind::kItem:
      case ExprKind::kLane:
      case ExprKind::kGlobal:
        return;
      case ExprKind::kBinary:
        same = same && ir::as<ir::Binary>(part)->op <= ir::BinaryOp::kMul;
        return;
      case ExprKind::kLoad:
        same = same && !assigned.contains(ir::loaded(part));
        return;
      default:
        same = false;
    }
  });
  return same;
}

class Loops {
 public:
  Loops(ir::Program& program, ir::Function& f) : program_(program), f_(f) { block(f.body); }

 private:
  void block(ir::Block& b) {
    ir::Block all;
    for (ir::Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop && loop->form != ir::LoopForm::kRange) {
        const ir::LocalSet assigned = ir::assigned_in(*loop->body);
        if (!is_invariant(loop->hi, assigned)) name(all, *loop, loop->hi, "_end");
        if (!is_invariant(loop->step, assigned)) name(all, *loop, loop->step, "_step");
      }
      ir::for_each_block(s, [&](ir::Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  void name(ir::Block& before, const ir::For& loop, Expr*& e, std::string_view suffix) {
    const ir::Builder build{program_, loop.span};
    Local* local = build.temp(std::string(loop.index->name.str()) + std::string(suffix), e->type);
    f_.locals.push_back(local);
    before.push_back(build.assign(local, e));
    e = build.load(local);
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void loops(ir::Program& program) {
  for (ir::Function* f : program.functions) Loops(program, *f);
}

}  // namespace pyk2cu::emit
