// The questions of meetings.h, answered by what the locals of a loop are assigned.
//
// In, out: see meetings.h. A subscript is followed through locals to the index of the loop, to
// memory and to loops inside; what a local is made of from itself may be anything.
// Tested by tests/run/test_updates.py.
#include "emit/lower/meetings.h"

#include <algorithm>
#include <map>

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
  std::map<ir::Root, Spot> spots;
  const auto write = [&](const Expr* array, const std::optional<Spot>& spot) {
    for (const ir::Root root : effects_.memory(array))
      if (!spot || spots.emplace(root, *spot).first->second != *spot) shared_.insert(root);
  };
  ir::for_each_stmt(*loop_.body, [&](const Stmt* s) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) write(place.array, spot_of(place));
    });
    if (s->kind == ir::StmtKind::kStore || s->kind == ir::StmtKind::kUpdate) return;
    for (const Expr* array : ir::written_by(s)) write(array, spot_of(array));
  });
  ir::for_each_expr_in(*loop_.body, [&](const Expr* e) {
    for (const Expr* array : ir::written_by(e)) write(array, spot_of(array));
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

// b[t, :] and names of it; not views of which nobody knows where their elements are in b.
std::optional<Meetings::Spot> Meetings::spot_of(const Expr* array) const {
  if (const auto* view = ir::try_as<ir::View>(array)) {
    const Local* of = ir::loaded(view->array);
    if (!of || values_.contains(of)) return spot_of(view->array);
    for (size_t k = 0; k < view->subscripts.size(); ++k) {
      using Kind = ir::Subscript::Kind;
      const ir::Subscript& s = view->subscripts[k];
      if (s.kind == Kind::kNewAxis) return std::nullopt;
      if (s.kind == Kind::kIndex && is_thread(s.index.value)) return Spot{of, k};
    }
    return std::nullopt;
  }
  const auto found = values_.find(ir::loaded(array));
  if (found == values_.end()) return std::nullopt;
  std::optional<Spot> spot;
  for (const Expr* value : found->second) {
    if (!value || value->kind != ir::ExprKind::kView) return std::nullopt;
    const std::optional<Spot> one = spot_of(value);
    if (!one || (spot && *spot != *one)) return std::nullopt;
    spot = one;
  }
  return spot;
}

std::optional<Meetings::Spot> Meetings::spot_of(const ir::Place& place) const {
  const Local* of = ir::loaded(place.array);
  if (!of || values_.contains(of)) return spot_of(place.array);
  for (size_t k = 0; k < place.indices.size(); ++k)
    if (is_thread(place.indices[k].value)) return Spot{of, k};
  return std::nullopt;
}

bool Meetings::is_of_thread(const Expr* array) const { return spot_of(array) && !is_shared(array); }

bool Meetings::is_of_thread(const ir::Place& place) const {
  return spot_of(place) && !is_shared(place.array);
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
