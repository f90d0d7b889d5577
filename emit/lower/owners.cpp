// Which array locals may own memory, and which are written through.
//
// owned:   what a NewArray or a call that returns an array may be assigned to, and views of those;
//          a view of a parameter is not. A parameter that takes such memory is copied into a
//          variable first: the caller's array stays a view. Nor does a row that is only looked at,
//          of an array that is there until the function ends: cores would count its owners in
//          turns.
// written: arrays with a Store, passed where elements are written, or whose views are; C++ makes
//          all others views of const elements.
// In: functions, callees first; effects known.  Out: Local::owned, written; no call that may raise
// sets what it is given.
// Tested by tests/golden/functions.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

bool may_own(const Expr* e) {
  if (!types::holds_array(e->type)) return false;
  if (e->kind == ExprKind::kNewArray || e->kind == ExprKind::kCall || ir::makes_memory(e) ||
      ir::is_list_item(e))
    return true;
  bool found = false;
  ir::for_each_operand(e, [&](const Expr* operand) { found = found || may_own(operand); });
  return found;
}

class Owners {
 public:
  explicit Owners(ir::Function& f) {
    for (Local* local : f.locals) local->owned = false;
    for (const ir::Param& p : f.params)
      if (p.written) write(p.local);
    ir::for_each_stmt(f.body, [&](Stmt* s) { stmt(s); });
    const auto times = ir::count_assignments(f.body);
    for (const ir::Param& p : f.params)  // C++ takes them by const&
      if (p.local->type->is_container() && times.contains(p.local)) own(p.local);
    for (const Stmt* s : f.body)
      if (const auto* a = ir::try_as<ir::Assign>(s); a && times.at(a->local) == 1)
        stays_.insert(a->local);
    settle();
  }

  // Parameters, which are views, that take memory of the function's own.
  const std::vector<Local*>& params() const { return params_; }

 private:
  void write(Local* local) {
    if (local->written) return;
    local->written = true;
    to_do_.push_back(local);
  }
  void write_sources(const Expr* e) {
    ir::for_each_shown(e, [&](Local* local) { write(local); });
  }

  void stmt(Stmt* s) {
    for (const Expr* array : ir::written_by(s)) write_sources(array);
    if (auto* a = ir::try_as<ir::Assign>(s); a && types::holds_array(a->local->type)) {
      if (!a->local->type->is_array())
        write_sources(a->value);  // C++ has no tuples of views of const
      const auto* builtin = ir::try_as<ir::Builtin>(a->value);
      if (builtin && (builtin->row->id == builtins::Id::pyk_list_view ||
                      builtin->row->id == builtins::Id::pyk_list_row))
        return;  // looks at numbers
      if (may_own(a->value)) own(a->local);
      const bool views = a->value->kind == ExprKind::kView || a->value->kind == ExprKind::kBuiltin;
      if (!views || ir::is_list_item(a->value)) given_.insert(a->local);  // the array itself
      ir::for_each_shown(a->value, [&](Local* source) {
        sources_[a->local].push_back(source);
        shown_by_[source].push_back(a->local);
      });
    }
    if (const auto* leaves = ir::try_as<ir::Return>(s); leaves && leaves->value)
      give(leaves->value);
    ir::for_each_expr(s,
                      [&](Expr* e) { ir::for_each_subexpr(e, [&](Expr* part) { expr(part); }); });
  }

  void give(const Expr* e) {
    ir::for_each_shown(e, [&](Local* local) { given_.insert(local); });
  }

  void expr(const Expr* e) {
    if (e->kind == ExprKind::kTuple || e->kind == ExprKind::kWrap) {
      write_sources(e);
      give(e);
    }
    for (const Expr* array : ir::written_by(e)) write_sources(array);
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const bool puts =
        builtin && (builtin->type->is_container() ||
                    (!builtin->args.empty() && builtin->args[0]->type->is_container()));
    for (const Expr* arg : puts ? builtin->args : ir::List<Expr*>{}) give(arg);  // into a list
    const auto* call = ir::try_as<ir::Call>(e);
    if (!call) return;
    for (const Local* local : call->shared) given_.insert(local);
    for (size_t k = 0; k < call->args.size(); ++k) {  // what C++ has no views of const for
      const Local* param = call->callee->params[k].local;
      if (param->written || !param->type->is_array()) write_sources(call->args[k]);
    }
  }

  void own(Local* local) {
    if (local->owned) return;
    if (local->is_param) {
      if (std::find(params_.begin(), params_.end(), local) == params_.end())
        params_.push_back(local);
      return;
    }
    local->owned = true;
    owned_.push_back(local);
  }

  // What shows the memory of a local that owns some owns it too; what is written through a view is
  // written through its source.
  void settle() {
    while (!to_do_.empty() || !owned_.empty()) {
      if (!to_do_.empty()) {
        const Local* local = to_do_.back();
        to_do_.pop_back();
        for (Local* source : sources_[local]) write(source);
        continue;
      }
      const Local* local = owned_.back();
      owned_.pop_back();
      for (Local* view : shown_by_[local])
        if (!is_looked_at(view)) own(view);
      for (Local* source : sources_[local])
        if (!source->is_param) own(source);
    }
  }

  // Does it only show what is there until the function ends, and does nothing else show it?
  bool is_looked_at(const Local* view) {
    return !given_.contains(view) && shown_by_[view].empty() && view->type->is_array() &&
           std::ranges::all_of(sources_[view],
                               [&](const Local* source) { return stays_.contains(source); });
  }

  std::vector<Local*> to_do_{}, owned_{}, params_{};
  ir::LocalSet stays_{};  // assigned once, whatever the function does
  ir::LocalSet given_{};  // no view, or one that is returned, in a tuple, another function's to set
  std::unordered_map<const Local*, std::vector<Local*>> sources_{}, shown_by_{};
};

// v = f(v)   ->   value = f(v); v = value     where f may raise, and so sets what it is given.
void set_others(ir::Program& program, ir::Function& f) {
  ir::replace_stmts(f.body, [&](Stmt* s, ir::Block& out) {
    auto* a = ir::try_as<ir::Assign>(s);
    const auto* call = a ? ir::try_as<ir::Call>(a->value) : nullptr;
    if (!call || !ir::may_raise(*call) || !types::holds_array(a->local->type)) return false;
    if (!ir::reads(call, a->local)) return false;
    const ir::Builder build{program, s->span};
    f.locals.push_back(build.temp("value", call->type));
    out.push_back(build.assign(f.locals.back(), a->value));
    out.push_back(build.assign(a->local, build.load(f.locals.back())));
    return true;
  });
}

// The body works on variables of its own instead: a_2 = a.
void take_over(ir::Program& program, ir::Function& f, const std::vector<Local*>& params) {
  ir::Cloner cloner(program);
  const ir::Builder build{program, f.span};
  ir::Block body;
  for (Local* param : params) {
    Local* local = cloner.renew(param, f);
    local->version = 2;
    body.push_back(build.assign(local, build.load(param)));
  }
  const ir::Block* rest = cloner.block(f.body);
  body.insert(body.end(), rest->begin(), rest->end());
  f.body = std::move(body);
}

}  // namespace

void owners(ir::Program& program) {
  for (ir::Function* f : program.functions) {
    set_others(program, *f);
    const std::vector<Local*> params = Owners(*f).params();
    // Again: what shows the memory of the new variables owns it as well.
    for (std::vector<Local*> taken = params; !taken.empty(); taken = Owners(*f).params())
      take_over(program, *f, taken);
  }
}

}  // namespace pyk2cu::emit
