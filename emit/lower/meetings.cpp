// The questions of meetings.h, answered by what the locals of a loop are assigned.
//
// In, out: see meetings.h. A subscript is followed through locals to the index of the loop, to
// memory and to loops inside; what a local is made of from itself may be anything.
// Tested by tests/run/test_updates.py.
#include "emit/lower/meetings.h"

#include <algorithm>

#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Expr;
using ir::Local;
using ir::Stmt;

Meetings::Meetings(const ir::For& loop, const ir::EffectAnalysis& effects)
    : loop_(loop), effects_(effects) {
  bool jumps = false;
  ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
    jumps = jumps || ir::is_jump(s);
    if (const auto* a = ir::try_as<ir::Assign>(s)) values_[a->local].push_back(a->value);
    const auto* update = ir::try_as<ir::Update>(s);
    if (update && update->place.local) values_[update->place.local].push_back(nullptr);
    if (const auto* inner = ir::try_as<ir::For>(s)) {
      inner_.insert(inner->index);
      for (const Expr* bound : {inner->lo, inner->hi, inner->step})
        values_[inner->index].push_back(bound);
    }
  });
  note(*loop.body, jumps);
  find_shared();
}

void Meetings::find_shared() {
  const auto share = [&](const Expr* array) { shared_.merge(effects_.memory(array)); };
  ir::for_each_stmt(*loop_.body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      const auto is_it = [&](const ir::Index& index) { return is_thread(index.value); };
      if (!place.local && std::ranges::none_of(place.indices, is_it) && !is_at_thread(place.array))
        share(place.array);
    });
    if (s->kind == ir::StmtKind::kStore || s->kind == ir::StmtKind::kUpdate) return;
    for (const Expr* array : ir::written_by(s))
      if (!is_at_thread(array)) share(array);
  });
  ir::for_each_expr_in(*loop_.body, [&](const Expr* e) {
    for (const Expr* array : ir::written_by(e))
      if (!is_at_thread(array)) share(array);
  });
}

bool Meetings::is_shared(const Expr* array) const {
  return std::ranges::any_of(effects_.memory(array),
                             [&](const ir::Root& root) { return shared_.contains(root); });
}

void Meetings::note(const ir::Block& block, bool chosen) {
  for (const Stmt* s : block) {
    if (chosen) chosen_.insert(s);
    const bool chooses = s->kind == ir::StmtKind::kIf || s->kind == ir::StmtKind::kWhile;
    ir::for_each_block(s, [&](const ir::Block& inner) { note(inner, chosen || chooses); });
  }
}

// `asked`: locals that are being looked at; one that its own value leads to has many.
bool Meetings::may_vary(const Expr* e, ir::LocalSet& asked) const {
  if (!e) return true;
  bool varies = ir::has_effect(e);
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* builtin = ir::try_as<ir::Builtin>(part);
    varies = varies || (builtin && !builtin->row->is_pure());
    const Local* local = ir::loaded(part);
    if (!local || varies) return;
    const auto found = values_.find(local);
    varies = local == loop_.index;
    if (varies || found == values_.end()) return;
    varies = !asked.insert(local).second ||
             std::ranges::any_of(found->second, [&](const Expr* v) { return may_vary(v, asked); });
    asked.erase(local);
  });
  return varies;
}

bool Meetings::may_differ(const ir::Place& place, const Stmt& at) const {
  return may_vary(place.array) || std::ranges::any_of(place.indices, [&](const ir::Index& index) {
           return may_vary(index.value) ||
                  (chosen_.contains(&at) && ir::reads_any(index.value, inner_));
         });
}

bool Meetings::is_thread(const Expr* e) const {
  if (const auto* builtin = ir::try_as<ir::Builtin>(e))
    return builtin->row->id == builtins::Id::numba_get_thread_id;
  const auto found = values_.find(ir::loaded(e));
  return found != values_.end() &&
         std::ranges::all_of(found->second, [&](const Expr* v) { return v && is_thread(v); });
}

bool Meetings::is_at_thread(const Expr* array) const {
  if (const auto* view = ir::try_as<ir::View>(array)) {
    const auto is_it = [&](const ir::Subscript& s) {
      return s.kind == ir::Subscript::Kind::kIndex && is_thread(s.index.value);
    };
    return std::ranges::any_of(view->subscripts, is_it) || is_at_thread(view->array);
  }
  const auto found = values_.find(ir::loaded(array));
  return found != values_.end() && std::ranges::all_of(found->second, [&](const Expr* v) {
           return v && v->kind == ir::ExprKind::kView && is_at_thread(v);
         });
}

bool Meetings::is_of_thread(const Expr* array) const {
  return is_at_thread(array) && !is_shared(array);
}

bool Meetings::is_of_thread(const ir::Place& place) const {
  const auto is_it = [&](const ir::Index& index) { return is_thread(index.value); };
  return !is_shared(place.array) &&
         (std::ranges::any_of(place.indices, is_it) || is_at_thread(place.array));
}

bool Meetings::reads(const Expr* value, const std::set<ir::Root>& memory,
                     ir::LocalSet& asked) const {
  bool found = false;
  const auto look = [&](const Expr* array) {
    if (types::holds_array(array->type))
      for (const ir::Root root : effects_.memory(array)) found = found || memory.contains(root);
  };
  ir::for_each_subexpr(value, [&](const Expr* part) {
    if (const auto* element = ir::try_as<ir::Element>(part)) look(element->array);
    if (const auto* builtin = ir::try_as<ir::Builtin>(part);
        builtin && builtin->row->reads_elements() && !types::holds_array(builtin->type))
      std::ranges::for_each(builtin->args, look);
    const Local* local = ir::loaded(part);
    const auto known = values_.find(local);
    if (found || !local || inner_.contains(local) || known == values_.end() ||
        !asked.insert(local).second)
      return;
    found = std::ranges::any_of(known->second,
                                [&](const Expr* v) { return v && reads(v, memory, asked); });
  });
  return found;
}

bool Meetings::reads(const Expr* value, const ir::Place& place) const {
  ir::LocalSet asked;
  return reads(value, effects_.memory(place.array), asked);
}

}  // namespace pyk2cu::emit
