// Which array locals may own memory, and which are written through.
//
// owned: what a NewArray or a call that returns an array may be assigned to, and views of those.
// written: arrays with a Store, passed to a parameter that is written, or whose views are; C++
// makes all others views of const elements. In: the program.  Out: Local::owned, Facts::written.
// Tested by tests/golden/functions.
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"
#include "emit/print/type.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::StmtKind;

namespace {

// f(Local*) for the locals whose memory the array expression may show.
template <class F>
void for_each_root(Expr* e, F&& f) {
  if (!holds_array(e->type)) return;
  if (Local* local = loaded(e)) return f(local);
  if (e->kind == ExprKind::kView) return for_each_root(ir::as<ir::View>(e)->array, f);
  for_each_operand(e, [&](Expr*& operand) { for_each_root(operand, f); });
}

bool makes_memory(Expr* e) {
  if (!holds_array(e->type)) return false;
  if (e->kind == ExprKind::kNewArray || e->kind == ExprKind::kCall) return true;
  bool found = false;
  for_each_operand(e, [&](Expr*& operand) { found = found || makes_memory(operand); });
  return found;
}

bool is_pure(const Expr* e) { return (ir::as<ir::Builtin>(e)->row->flags & builtins::kPure) != 0; }

class Owners {
 public:
  explicit Owners(Facts& facts) : facts_(facts) {}

  // One round over a function; true when something new was found.
  bool round(ir::Function& f) {
    changed_ = false;
    for (ir::Param& p : f.params) {
      if (p.written && p.local->type->is_array()) write(p.local);
      if (facts_.written.count(p.local) != 0) p.written = true;
    }
    for_each_stmt(f.body, [&](ir::Stmt* s) {
      if (s->kind == StmtKind::kStore)
        for_each_root(ir::as<ir::Store>(s)->array, [&](Local* l) { write(l); });
      if (s->kind == StmtKind::kAssign) assign(*ir::as<ir::Assign>(s));
      for_each_expr(s,
                    [&](Expr*& e) { for_each_subexpr(e, [&](Expr* part) { expression(part); }); });
    });
    return changed_;
  }

 private:
  void write(Local* local) { changed_ = facts_.written.insert(local).second || changed_; }
  void own(Local* local) {
    if (local->owned || local->is_param) return;
    local->owned = changed_ = true;
  }

  void assign(ir::Assign& a) {
    if (!holds_array(a.local->type)) return;
    const bool array = a.local->type->is_array();
    if (makes_memory(a.value)) own(a.local);
    for_each_root(a.value, [&](Local* root) {
      if (root->owned) own(a.local);
      if (facts_.written.count(a.local) != 0 || !array) write(root);
      if (a.local->owned && !root->owned && !root->is_param) own(root);
    });
  }

  void expression(Expr* e) {
    if (e->kind == ExprKind::kTuple || e->kind == ExprKind::kWrap)
      for_each_root(e, [&](Local* root) { write(root); });
    if (e->kind == ExprKind::kBuiltin && !is_pure(e))  // may write: nobody says
      for (Expr* arg : *ir::as<ir::Builtin>(e)->args)
        for_each_root(arg, [&](Local* root) { write(root); });
    if (e->kind != ExprKind::kCall) return;
    auto& call = *ir::as<ir::Call>(e);
    for (size_t i = 0; i < call.args->size() && i < call.callee->params.size(); ++i)
      if (call.callee->params[i].written || !(*call.args)[i]->type->is_array())
        for_each_root((*call.args)[i], [&](Local* root) { write(root); });
  }

  Facts& facts_;
  bool changed_ = false;
};

}  // namespace

void owners(ir::Program& program, Facts& facts) {
  Owners pass(facts);
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::Function* f : program.functions) changed = pass.round(*f) || changed;
  }
}

}  // namespace pyk2cu::emit
