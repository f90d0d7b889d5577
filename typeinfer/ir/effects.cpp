// Effects of code: see effects.h.
//
// Memory is followed without regard to order: a local shows what any of its assignments shows.
// Two parameters may overlap; an allocation overlaps nothing but itself.
// Tested by tests/unit/typeinfer/effects_test.cpp.
#include "typeinfer/ir/effects.h"

#include <algorithm>

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::ir {

namespace {

constexpr char kAnywhereTag = 0;

bool is_known(const Function& f) { return f.is_analysed; }

bool reads_elements(const Param& p, const Function& f) { return p.read || !is_known(f); }
bool writes_elements(const Param& p, const Function& f) { return p.written || !is_known(f); }
bool returns_memory(const Param& p, const Function& f) { return p.returned || !is_known(f); }

}  // namespace

const Root kAnywhere = &kAnywhereTag;

void Effects::operator|=(const Effects& other) {
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
  raises = raises || other.raises;
  has_state = has_state || other.has_state;
}

// f(Root) for the memory that an array expression may show.
template <class F>
void EffectAnalysis::for_each_root(const Expr* e, F&& f) const {
  if (!types::holds_array(e->type)) return;
  if (const Local* local = loaded(e)) {
    const auto it = shown_.find(local);
    if (it == shown_.end()) return f(kAnywhere);
    for (const Root root : it->second) f(root);
  } else if (const Global* global = try_as<Global>(e)) {
    f(global->array);
  } else if (e->kind == ExprKind::kNewArray) {
    f(e);
  } else if (const Call* call = try_as<Call>(e)) {
    f(call);
    for (size_t k = 0; k < call->args.size() && k < call->callee->params.size(); ++k)
      if (returns_memory(call->callee->params[k], *call->callee)) for_each_root(call->args[k], f);
  } else {
    for_each_operand(e, [&](const Expr* operand) { for_each_root(operand, f); });
  }
}

std::set<Root> EffectAnalysis::memory(const Expr* array) const {
  std::set<Root> all;
  for_each_root(array, [&](Root root) { all.insert(root); });
  return all;
}

EffectAnalysis::EffectAnalysis(const Function& f) : function_(f) {
  const auto own = [&](const Local* local) {
    if (types::holds_array(local->type)) shown_[local].insert(local);
  };
  for (const Param& p : f.params) own(p.local);
  for (const Local* local : f.shared) own(local);
  std::vector<const Assign*> assigns;
  for_each_stmt(f.body, [&](const Stmt* s) {
    const Assign* a = try_as<Assign>(s);
    if (!a || !types::holds_array(a->local->type)) return;
    shown_.try_emplace(a->local);
    assigns.push_back(a);
  });
  for (bool grown = true; grown;) {
    grown = false;
    for (const Assign* a : assigns) {
      std::set<Root>& known = shown_[a->local];
      for (const Root root : memory(a->value)) grown = known.insert(root).second || grown;
    }
  }
}

void EffectAnalysis::add_call(const Call& call, Effects& out) const {
  const Function& callee = *call.callee;
  for (size_t k = 0; k < call.args.size() && k < callee.params.size(); ++k)
    for_each_root(call.args[k], [&](Root root) {
      if (reads_elements(callee.params[k], callee)) out.reads.insert(root);
      if (writes_elements(callee.params[k], callee)) out.writes.insert(root);
    });
  out.raises = out.raises || (!call.is_safe && callee.may_raise) || !is_known(callee);
  out.has_state = out.has_state || callee.has_state || !is_known(callee);
}

// What the node itself does, operands aside.
void EffectAnalysis::add_own(const Expr* e, Effects& out) const {
  switch (e->kind) {
    case ExprKind::kElement:
      return for_each_root(as<Element>(e)->array, [&](Root root) { out.reads.insert(root); });
    case ExprKind::kNewArray:
      out.raises = true;  // MemoryError
      return;
    case ExprKind::kCall:
      return add_call(*as<Call>(e), out);
    case ExprKind::kBuiltin: {
      const auto& call = *as<Builtin>(e);
      const bool reads = !types::holds_array(e->type) && call.row->reads_elements();  // a.T: none
      for (const Expr* arg : call.args)
        if (reads) for_each_root(arg, [&](Root root) { out.reads.insert(root); });
      if (call.row->writes() && !call.args.empty())
        for_each_root(call.args[0], [&](Root root) { out.writes.insert(root); });
      out.has_state = out.has_state || call.row->has_state();
      return;
    }
    default:
      return;
  }
}

Effects EffectAnalysis::of(const Expr* e) const {
  Effects out;
  for_each_subexpr(e, [&](const Expr* part) { add_own(part, out); });
  return out;
}

void EffectAnalysis::add_stmt(const Stmt* s, Effects& out) const {
  for_each_expr(s, [&](const Expr* e) {
    for_each_subexpr(e, [&](const Expr* part) { add_own(part, out); });
  });
  for_each_block(s, [&](const Block& block) {
    for (const Stmt* inner : block) add_stmt(inner, out);
  });
  const auto writes = [&](const Place& place, bool reads_too) {
    if (place.local) return;
    for_each_root(place.array, [&](Root root) {
      out.writes.insert(root);
      if (reads_too) out.reads.insert(root);
    });
  };
  switch (s->kind) {
    case StmtKind::kStore:
      return writes(as<Store>(s)->place, false);
    case StmtKind::kUpdate:
      return writes(as<Update>(s)->place, true);
    case StmtKind::kForEach:
      return for_each_root(as<ForEach>(s)->array, [&](Root root) { out.reads.insert(root); });
    case StmtKind::kRaise:
      out.raises = true;
      return;
    case StmtKind::kPrint:
      out.has_state = true;
      return;
    default:
      return;
  }
}

Effects EffectAnalysis::of(const Stmt* s) const {
  Effects out;
  add_stmt(s, out);
  return out;
}

Effects EffectAnalysis::of(const Block& block) const {
  Effects out;
  for (const Stmt* s : block) add_stmt(s, out);
  return out;
}

bool EffectAnalysis::may_overlap(const std::set<Root>& a, const std::set<Root>& b) const {
  const auto is_foreign = [&](Root root) {  // given by the caller
    const auto is_param = [&](const Param& p) { return p.local == root; };
    return root == kAnywhere ||
           std::any_of(function_.params.begin(), function_.params.end(), is_param) ||
           std::find(function_.shared.begin(), function_.shared.end(), root) !=
               function_.shared.end();
  };
  for (const Root x : a)
    for (const Root y : b)
      if (x == y || x == kAnywhere || y == kAnywhere || (is_foreign(x) && is_foreign(y)))
        return true;
  return false;
}

bool EffectAnalysis::interfere(const Effects& a, const Effects& b) const {
  return (a.has_state && b.has_state) || may_overlap(a.writes, b.reads) ||
         may_overlap(a.writes, b.writes) || may_overlap(a.reads, b.writes);
}

// ---- functions ---------------------------------------------------------------------------------

namespace {

// One round: what holds when the callees are as they are said to be.
void summarise(Function& f) {
  const EffectAnalysis analysis(f);
  const Effects all = analysis.of(f.body);
  std::set<Root> returned;
  for_each_stmt(std::as_const(f.body), [&](const Stmt* s) {
    const Return* r = try_as<Return>(s);
    if (r && r->value) returned.merge(analysis.memory(r->value));
  });
  const auto shows = [](const std::set<Root>& roots, const Local* local) {
    return roots.contains(local) || roots.contains(kAnywhere);
  };
  for (Param& p : f.params) {
    const bool holds = types::holds_array(p.local->type);
    p.read = holds && shows(all.reads, p.local);
    p.written = holds && shows(all.writes, p.local);
    p.returned = holds && shows(returned, p.local);
  }
  f.may_raise = all.raises;
  f.has_state = all.has_state;
}

// Nothing is assumed at first, so that recursion ends with the least that holds.
void forget(Function& f) {
  for (Param& p : f.params) p.read = p.written = p.returned = false;
  f.may_raise = f.has_state = false;
  f.is_analysed = true;
}

std::vector<bool> summary_of(const Function& f) {
  std::vector<bool> flags{f.may_raise, f.has_state};
  for (const Param& p : f.params) flags.insert(flags.end(), {p.read, p.written, p.returned});
  return flags;
}

// Rounds over functions, callees before callers; again while recursion brings something new.
void settle(const std::vector<Function*>& functions) {
  std::unordered_set<const Function*> to_do(functions.begin(), functions.end());
  bool recursive = false;
  for (Function* f : functions) forget(*f);
  for (Function* f : functions) {
    summarise(*f);
    for_each_expr_in(std::as_const(f->body), [&](const Expr* e) {
      const Call* call = try_as<Call>(e);
      recursive = recursive || (call && to_do.contains(call->callee));
    });
    to_do.erase(f);
  }
  for (bool changed = recursive; changed;) {
    changed = false;
    for (Function* f : functions) {
      const std::vector<bool> before = summary_of(*f);
      summarise(*f);
      changed = changed || before != summary_of(*f);
    }
  }
}

}  // namespace

void analyse(Function& f) { settle({&f}); }

void analyse(Program& program) { settle(program.functions); }

namespace {

// The node's own effect, operands aside.
bool has_own_effect(const Expr* e) {
  const Call* call = try_as<Call>(e);
  const Builtin* builtin = try_as<Builtin>(e);
  return e->kind == ExprKind::kNewArray || (call && is_observable(*call)) ||
         (builtin && !builtin->row->is_pure());
}

// Does the node itself read elements, or hidden state?
bool reads_itself(const Expr* e) {
  if (const Call* call = try_as<Call>(e)) {
    const Function& callee = *call->callee;
    return !is_known(callee) || callee.has_state ||
           std::any_of(callee.params.begin(), callee.params.end(),
                       [](const Param& p) { return p.read; });
  }
  if (const Builtin* builtin = try_as<Builtin>(e))  // a view, of the same memory, reads nothing
    return builtin->row->has_state() ||
           (!types::holds_array(e->type) &&
            std::any_of(builtin->args.begin(), builtin->args.end(),
                        [](const Expr* arg) { return types::holds_array(arg->type); }));
  return e->kind == ExprKind::kElement;
}

bool may_raise(const Expr* e) {
  const Call* call = try_as<Call>(e);
  return e->kind == ExprKind::kNewArray ||
         (call && ((call->callee->may_raise && !call->is_safe) || !is_known(*call->callee)));
}

// Is `part` surely evaluated when `e` is, and nothing besides it reads memory?
bool is_alone(const Expr* e, const Expr* part) {
  if (e == part) return true;
  if (e->kind == ExprKind::kLogical || e->kind == ExprKind::kSelect) return false;
  if (reads_itself(e)) return false;
  bool alone = true;
  for_each_operand(e, [&](const Expr* operand) { alone = alone && is_alone(operand, part); });
  return alone;
}

}  // namespace

bool is_in_order(const Stmt* s) {
  std::vector<const Expr*> all, found;
  for_each_expr(s, [&](const Expr* e) {
    all.push_back(e);
    for_each_subexpr(e, [&](const Expr* part) {
      if (has_own_effect(part)) found.push_back(part);
    });
  });
  if (found.empty()) return true;
  const Expr* value = nullptr;  // evaluated as a whole, then assigned, returned or dropped
  if (const Assign* a = try_as<Assign>(s)) value = a->value;
  if (const Return* r = try_as<Return>(s)) value = r->value;
  if (const Eval* v = try_as<Eval>(s)) value = v->value;
  if (found.size() > 1) return false;
  if (found[0] == value) return true;
  if (may_raise(found[0])) return false;
  if (const Store* store = try_as<Store>(s); store && store->value == found[0]) return true;
  const Update* update = try_as<Update>(s);
  if (update && !update->wraps && update->value == found[0]) return true;
  if (s->kind == StmtKind::kWhile || s->kind == StmtKind::kFor) return false;  // not once
  return std::all_of(all.begin(), all.end(), [&](const Expr* e) { return is_alone(e, found[0]); });
}

bool is_observable(const Call& call) {
  const Function& callee = *call.callee;
  if (!is_known(callee) || (callee.may_raise && !call.is_safe) || callee.has_state) return true;
  return std::any_of(callee.params.begin(), callee.params.end(),
                     [](const Param& p) { return p.written; });
}

bool has_effect(const Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || has_own_effect(part); });
  return found;
}

bool reads_memory(const Expr* e) {
  bool found = false;
  for_each_subexpr(e, [&](const Expr* part) { found = found || reads_itself(part); });
  return found;
}

}  // namespace pyk2cu::ir
