// Which functions may still raise, after needless checks are gone?
//
// Function::may_raise holds where a Raise, a new array or a call of such a function is left; what
// cannot raise returns its value directly. In: the program.  Out: Function::may_raise.
// Tested by tests/golden/ranges.
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"

namespace pyk2cu::emit {

namespace {

bool raises_now(ir::Function& f) {
  bool found = false;
  for_each_stmt(f.body, [&](ir::Stmt* s) { found = found || s->kind == ir::StmtKind::kRaise; });
  for_each_expr_in(f.body, [&](ir::Expr* e) {
    found = found || e->kind == ir::ExprKind::kNewArray ||
            (e->kind == ir::ExprKind::kCall && ir::as<ir::Call>(e)->callee->may_raise);
  });
  return found;
}

}  // namespace

void raises(ir::Program& program) {
  std::vector<ir::Function*> candidates;
  for (ir::Function* f : program.functions)
    if (f->may_raise) candidates.push_back(f);
  for (ir::Function* f : candidates) f->may_raise = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::Function* f : candidates)
      if (!f->may_raise && raises_now(*f)) f->may_raise = changed = true;
  }
}

}  // namespace pyk2cu::emit
