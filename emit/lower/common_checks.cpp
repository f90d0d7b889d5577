// Checks that all iterations have in common: see common_checks.h.
#include "emit/lower/common_checks.h"

#include <algorithm>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/once.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

std::vector<Expr*> take_common_checks(ir::Program& program, Block& body, const Local* index) {
  const ir::LocalSet assigned = ir::assigned_in(body);
  const Once once(body);
  std::vector<Expr*> taken;
  ir::replace_stmts(body, [&](Stmt* s, Block&) {
    if (!is_check(s)) return false;
    Expr* condition = ir::Cloner(program).expr(ir::as<ir::If>(s)->condition);
    once.replace(program, condition);
    bool known = !ir::reads_memory(condition) && !ir::reads(condition, index);
    ir::for_each_subexpr(condition, [&](const Expr* e) {
      const Local* local = ir::loaded(e);
      known = known && (!e->type->is_array() || local) && e->kind != ir::ExprKind::kCall &&
              !(local && (assigned.contains(local) || local->maybe_unbound));
    });
    if (!known) return false;
    const auto same = [&](const Expr* e) { return ir::equal(e, condition); };
    if (std::ranges::none_of(taken, same)) taken.push_back(condition);
    return true;
  });
  return taken;
}

}  // namespace pyk2cu::emit
