// How long arrays are shown, and by what: see lifetimes.h.
#include "emit/lower/lifetimes.h"

#include <algorithm>

#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

bool holds_scalars(const Local* local) {
  const types::Type& type = *local->type;
  return local->owned && !local->is_param && type.is_array() && type.rank > 0 &&
         type.elem->is_scalar();
}

// What the caller has, which is there until the function ends.
bool is_argument(const Expr* e) {
  const Local* local = ir::loaded(e);
  return local && local->is_param && !local->owned;
}

// A call whose result is no view of what it is given.
bool gives_own(const Expr* e) {
  const auto* call = ir::try_as<ir::Call>(e);
  return call && ir::may_raise(*call) &&
         std::ranges::none_of(call->callee->params, &ir::Param::returned);
}

}  // namespace

Lifetimes::Lifetimes(const ir::Function& f) {
  block(f.body, false);
  std::vector<const Local*> found;
  for (const Local* local : f.locals)
    if (is_variable(local)) found.push_back(local);
  for (const Local* local : found) held_.insert(local);
  for (const Local* local : f.locals) sort(local);
}

// ---- asking ------------------------------------------------------------------------------------

bool Lifetimes::stays(const Local* local) const {
  return std::ranges::all_of(names_of(local), [&](const Local* name) {
    return !kept_.contains(name) && is_inside(name, local);
  });
}

bool Lifetimes::is_returned(const Local* local) const {
  return std::ranges::any_of(names_of(local), [&](const Local* name) {
    return returned_.contains(name) || moved_out_.contains(name);
  });
}

bool Lifetimes::is_shown_in(const Local* local, const Expr* e) const {
  return ir::reads_any(e, names_of(local));
}

const Local* Lifetimes::moved_to(const Local* local) const {
  for (const Local* name : names_of(local)) {
    const auto found = shown_by_.find(name);
    if (found == shown_by_.end()) continue;
    for (const Shown& shown : found->second)
      if (shown.moves && held_.contains(shown.by)) return shown.by;
  }
  return nullptr;
}

// It, and what shows it.
ir::LocalSet Lifetimes::names_of(const Local* local) const {
  ir::LocalSet names;
  std::vector<const Local*> left{local};
  while (!left.empty()) {
    const Local* next = left.back();
    left.pop_back();
    const auto found = shown_by_.find(next);
    if (!names.insert(next).second || found == shown_by_.end()) continue;
    for (const Shown& shown : found->second)
      if (!shown.moves || !held_.contains(shown.by)) left.push_back(shown.by);
  }
  return names;
}

// Is it declared in the block of the other, or in one of that?
bool Lifetimes::is_inside(const Local* local, const Local* other) const {
  const auto at = home_.find(local), outer = home_.find(other);
  if (at == home_.end() || outer == home_.end()) return false;
  int block = at->second;
  while (block > outer->second) block = around_[size_t(block)];
  return block == outer->second;
}

bool Lifetimes::is_variable(const Local* local) const {
  const auto found = assigned_.find(local);
  const auto home = home_.find(local);
  if (found == assigned_.end() || home == home_.end() || !holds_scalars(local) ||
      local->type->layout == types::Layout::kA)
    return false;
  const std::vector<Held>& all = found->second;
  if (all.size() == 1 && all.front().block == home->second) return false;
  bool is_own = false;
  for (const Held& held : all) {
    const Expr* value = held.by->value;
    const bool moved = held.by->moves && ir::loaded(value) && is_fresh(ir::loaded(value)) &&
                       ir::loaded(value)->type == local->type;
    const bool small = value->kind == ir::ExprKind::kNewArray || gives_own(value) || moved;
    if (!small && !ir::makes_memory(value) && !is_argument(value)) return false;
    is_own = is_own || small;
  }
  const ir::LocalSet names = names_of(local);
  return is_own && stays(local) && std::ranges::all_of(names, [&](const Local* name) {
           return !returned_.contains(name) &&
                  (name == local || (is_gone_before(name, local) && !moved_out_.contains(name)));
         });
}

// Does it hold a whole array that nobody else has, and nothing else?
bool Lifetimes::is_fresh(const Local* local) const {
  const auto found = assigned_.find(local);
  if (found == assigned_.end() || found->second.size() != 1) return false;
  const ir::Assign& a = *found->second.front().by;
  const Local* from = ir::loaded(a.value);
  return a.value->kind == ir::ExprKind::kNewArray || gives_own(a.value) ||
         (a.moves && from && from->type == local->type && is_fresh(from));
}

// Is it mentioned no more when the variable holds something else?
bool Lifetimes::is_gone_before(const Local* name, const Local* variable) const {
  const auto found = assigned_.find(name);
  if (found == assigned_.end() || found->second.size() != 1 ||
      found->second.front().by->declares == ir::Declares::kNothing)
    return false;
  const auto last = until_.find(name);
  const int since = changed_.at(name).front(), until = last == until_.end() ? since : last->second;
  return std::ranges::none_of(changed_.at(variable),
                              [&](int at) { return since < at && at <= until; });
}

// ---- looking -----------------------------------------------------------------------------------

void Lifetimes::sort(const Local* local) {
  const auto found = assigned_.find(local);
  const auto home = home_.find(local);
  if (found == assigned_.end() || home == home_.end() || !holds_scalars(local)) return;
  if (held_.contains(local)) return arrays_.variables.push_back(found->second);
  const Held& only = found->second.front();
  if (found->second.size() != 1 || only.block != home->second) return;
  const bool declares = only.by->declares != ir::Declares::kNothing;
  if (declares && only.by->value->kind == ir::ExprKind::kNewArray) arrays_.made.push_back(only);
  const auto* call = ir::try_as<ir::Call>(only.by->value);
  if (call && ir::may_raise(*call)) arrays_.given.push_back(only);
}

void Lifetimes::block(const Block& b, bool in_loop) {
  const int before = current_;
  around_.push_back(before);
  current_ = int(around_.size()) - 1;
  for (Stmt* s : b) stmt(s, in_loop);
  current_ = before;
}

void Lifetimes::stmt(Stmt* s, bool in_loop) {
  ++now_;
  open_.push_back({current_, {}});
  declares(s, in_loop);
  gives(s);
  ir::for_each_local_of(s, [&](const Local* local, ir::Access) { mention(local); });
  ir::for_each_expr(s, [&](Expr* e) { ir::for_each_subexpr(e, [&](Expr* part) { expr(part); }); });
  const bool loops = in_loop || ir::is_loop(s);
  ir::for_each_block(s, [&](const Block& inner) { block(inner, loops); });
  for (const Local* local : open_.back().mentioned) until_[local] = now_;
  open_.pop_back();
}

void Lifetimes::mention(const Local* local) {
  const auto home = home_.find(local);
  if (home == home_.end()) return;
  const auto in = std::ranges::find(open_, home->second, &Open::block);
  if (in != open_.end()) in->mentioned.insert(local);
}

// What the statement assigns.
void Lifetimes::declares(Stmt* s, bool in_loop) {
  if (const auto* d = ir::try_as<ir::Declare>(s); d && !d->clear)
    for (const Local* local : d->locals) home_[local] = current_;
  if (const auto* each = ir::try_as<ir::ForEach>(s)) {
    home_[each->item] = current_;
    if (types::holds_array(each->item->type)) show(each->array, each->item, false);
  }
  auto* a = ir::try_as<ir::Assign>(s);
  if (!a && s->kind != ir::StmtKind::kDeclare && s->kind != ir::StmtKind::kForEach)
    ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {  // Unpack, say
      if (access != ir::Access::kRead && types::holds_array(local->type))
        ir::for_each_expr(s, [&](const Expr* e) { keep(e); });
    });
  if (!a || !types::holds_array(a->local->type)) return;
  if (a->declares != ir::Declares::kNothing) home_[a->local] = current_;
  show(a->value, a->local, a->moves);
  changed_[a->local].push_back(now_);
  assigned_[a->local].push_back({a, current_, in_loop});
}

// What the statement, or what is called, may keep for longer than a block; results.
void Lifetimes::gives(Stmt* s) {
  if (const auto* leaves = ir::try_as<ir::Return>(s); leaves && leaves->value) leave(*leaves);
  if (const auto* out = ir::try_as<ir::Yield>(s)) keep(out->value);
  const auto* loop = ir::try_as<ir::For>(s);
  if (!loop) return;
  for (const auto* list : {&loop->last_private, &loop->copies})
    for (const Local* local : *list) kept_.insert(local);
  for (const ir::Reduction& reduction : loop->reductions) kept_.insert(reduction.local);
}

void Lifetimes::leave(const ir::Return& leaves) {
  if (!leaves.value->type->is_array()) return keep(leaves.value);
  ir::for_each_shown(leaves.value, [&](const Local* local) {
    (leaves.moves ? moved_out_ : returned_).insert(local);
  });
  const auto* call = ir::try_as<ir::Call>(leaves.value);
  if (call && ir::may_raise(*call)) arrays_.handed_on.push_back(call);
}

void Lifetimes::show(const Expr* value, const Local* by, bool moves) {
  if (!by->type->is_array()) return keep(value);
  ir::for_each_shown(value, [&](const Local* shown) { shown_by_[shown].push_back({by, moves}); });
}

void Lifetimes::keep(const Expr* value) {
  ir::for_each_shown(value, [&](const Local* local) { kept_.insert(local); });
}

void Lifetimes::expr(const Expr* e) {
  if (e->kind == ir::ExprKind::kTuple || e->kind == ir::ExprKind::kWrap) keep(e);
  const auto is_container = [](const Expr* arg) { return types::holds_container(arg->type); };
  const auto* builtin = ir::try_as<ir::Builtin>(e);
  if (builtin && (is_container(e) || std::ranges::any_of(builtin->args, is_container)))
    for (const Expr* arg : builtin->args) keep(arg);
  const auto* call = ir::try_as<ir::Call>(e);
  if (!call) return;
  for (const Local* local : call->shared) kept_.insert(local);
  if (is_container(e) || std::ranges::any_of(call->args, is_container))
    for (const Expr* arg : call->args) keep(arg);
}

}  // namespace pyk2cu::emit
