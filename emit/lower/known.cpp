// Facts about locals, with a trail: see known.h.
//
// In:   changes.  Out: facts. Joining keeps what both sides say.
// Tested by tests/golden/ranges.
#include "emit/lower/known.h"

#include <algorithm>

#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Local;

Interval join(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.excludes_zero() && b.excludes_zero()};
}

Interval full(const types::Type* type) {
  if (type->is_bool()) return {0, 1};
  if (!type->is_int()) return {-kUnlimited, kUnlimited};
  if (type->is_signed) return {-(Wide{1} << (type->bits - 1)), (Wide{1} << (type->bits - 1)) - 1};
  return {0, (Wide{1} << type->bits) - 1};
}

// ---- asking ------------------------------------------------------------------------------------

const Known::Fact* Known::find(const Local* local) const {
  const auto it = facts_.find(local);
  return it == facts_.end() ? nullptr : &it->second;
}

Interval Known::of(const Local* local) const {
  const Fact* fact = find(local);
  return fact && fact->value ? *fact->value : full(local->type);
}

bool Known::has_value(const Local* local) const {
  const Fact* fact = find(local);
  return fact && fact->value;
}

std::optional<Extent> Known::extent(const Local* local) const {
  const Fact* fact = find(local);
  return fact ? fact->extent : std::nullopt;
}

const std::vector<Extent>& Known::upper(const Local* local) const {
  static const std::vector<Extent> kNone;
  const Fact* fact = find(local);
  return fact ? fact->upper : kNone;
}

bool Known::are_unequal(const Local* a, const Local* b) const {
  const Fact* fact = find(a);
  return fact && std::find(fact->unequal.begin(), fact->unequal.end(), b) != fact->unequal.end();
}

// ---- changing ----------------------------------------------------------------------------------

Known::Fact& Known::change(const Local* local) {
  Fact& fact = facts_[local];
  trail_.push_back({local, fact});
  return fact;
}

void Known::set(const Local* local, const Interval& value) { change(local).value = value; }

void Known::set_extent(const Local* local, const Extent& extent) {
  change(local).extent = extent;
  users_[extent.array].insert(local);
}

void Known::add_upper(const Local* local, const Extent& extent) {
  std::vector<Extent>& upper = change(local).upper;
  const auto it = std::find_if(upper.begin(), upper.end(),
                               [&](const Extent& e) { return e.is_of_same(extent); });
  if (it == upper.end())
    upper.push_back(extent);
  else
    it->offset = std::min(it->offset, extent.offset);
  users_[extent.array].insert(local);
}

void Known::set_unequal(const Local* a, const Local* b) {
  if (are_unequal(a, b)) return;
  change(a).unequal.push_back(b);
  change(b).unequal.push_back(a);
}

void Known::forget(const Local* local) {
  forget_where(local);
  if (const Fact* fact = find(local)) {
    for (const Local* other : std::vector<const Local*>(fact->unequal))
      std::erase(change(other).unequal, local);
    change(local) = {};
  }
  const auto users = users_.find(local);
  if (users == users_.end()) return;
  const auto mentions = [&](const Extent& e) { return e.array == local; };
  for (const Local* user : users->second) {
    const Fact* known = find(user);
    if (!known || !((known->extent && mentions(*known->extent)) ||
                    std::any_of(known->upper.begin(), known->upper.end(), mentions)))
      continue;
    Fact& fact = change(user);
    if (fact.extent && fact.extent->array == local) fact.extent.reset();
    std::erase_if(fact.upper, mentions);
  }
}

// ---- expressions -------------------------------------------------------------------------------

const Local* Known::stand_in(const ir::Expr* e) const {
  for (const StandIn& one : stand_ins_)
    if (one.local && one.expr->kind == e->kind && ir::equal(one.expr, e)) return one.local;
  return nullptr;
}

const Local* Known::make_stand_in(const ir::Expr* e) {
  if (const Local* made = stand_in(e)) return made;
  if (ir::constant(e) || ir::has_effect(e)) return nullptr;
  StandIn& made = stand_ins_[made_++ % stand_ins_.size()];
  made = {.expr = e, .reads_memory = ir::reads_memory(e)};
  ir::for_each_subexpr(e, [&](const ir::Expr* part) {
    if (const Local* local = ir::loaded(part)) made.reads.insert(local);
  });
  locals_.emplace_back();
  locals_.back().type = e->type;
  made.local = &locals_.back();
  return made.local;
}

void Known::forget_memory() { forget_where(nullptr); }

void Known::forget_where(const Local* read) {
  for (const StandIn& one : stand_ins_)
    if (one.local && (read ? one.reads.contains(read) : one.reads_memory) && find(one.local))
      change(one.local) = {};
}

// ---- branches ----------------------------------------------------------------------------------

void Known::undo(Mark mark) {
  while (trail_.size() > mark.size) {
    facts_[trail_.back().first] = std::move(trail_.back().second);
    trail_.pop_back();
  }
  reachable = mark.reachable;
}

Known::Changes Known::take(Mark mark) {
  Changes changes;
  changes.reachable = reachable;
  for (size_t k = mark.size; k < trail_.size(); ++k)
    changes.facts.try_emplace(trail_[k].first, facts_[trail_[k].first]);
  undo(mark);
  return changes;
}

namespace {

Known::Fact both(const Known::Fact& a, const Known::Fact& b) {
  Known::Fact out;
  if (a.value && b.value) out.value = join(*a.value, *b.value);
  if (a.extent == b.extent) out.extent = a.extent;
  for (const Extent& x : a.upper)
    for (const Extent& y : b.upper)
      if (x.is_of_same(y)) out.upper.push_back(x.offset > y.offset ? x : y);
  for (const Local* local : a.unequal)
    if (std::find(b.unequal.begin(), b.unequal.end(), local) != b.unequal.end())
      out.unequal.push_back(local);
  return out;
}

}  // namespace

void Known::join(Mark mark, const Changes& other) {
  if (!other.reachable) return;
  if (!reachable) {
    undo(mark);
    for (const auto& [local, fact] : other.facts) change(local) = fact;
    reachable = true;
    return;
  }
  // The facts before the branch, of locals that this side changed: the oldest on the trail.
  std::unordered_map<const Local*, Fact> before;
  for (size_t k = mark.size; k < trail_.size(); ++k)
    before.try_emplace(trail_[k].first, trail_[k].second);
  for (const auto& [local, fact] : before) {
    const auto there = other.facts.find(local);
    Fact joined = both(facts_[local], there == other.facts.end() ? fact : there->second);
    change(local) = std::move(joined);
  }
  for (const auto& [local, fact] : other.facts) {
    if (before.contains(local)) continue;
    Fact joined = both(facts_[local], fact);
    change(local) = std::move(joined);
  }
}

}  // namespace pyk2cu::emit
