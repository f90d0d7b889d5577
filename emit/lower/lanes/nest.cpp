// Pieces of loop nests: see nest.h.
#include "emit/lower/lanes/nest.h"

#include <algorithm>

#include "emit/lower/iterations.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// The one update of an element; nothing beside it but variables. Null: there is another.
ir::Update* only_update(Block& body) {
  ir::Update* update = nullptr;
  for (Stmt* s : body) {
    if (s->kind == ir::StmtKind::kAssign) continue;
    auto* one = ir::try_as<ir::Update>(s);
    if (!one || one->place.local || one->atomic || update) return nullptr;
    update = one;
  }
  return update;
}

// The store to an element, or the update of one as a store; null: it is none.
ir::Store* stored_last(ir::Program& program, Stmt* s) {
  const auto* u = ir::try_as<ir::Update>(s);
  if (!u || u->place.local || u->atomic) return ir::try_as<ir::Store>(s);
  const types::Type* type = u->place.type();
  if (u->value->type != type || !type->is_float()) return nullptr;
  const ir::Builder build{program, s->span};
  ir::Cloner cloner(program);
  std::vector<ir::Index> indices(u->place.indices.begin(), u->place.indices.end());
  for (ir::Index& i : indices) i.value = cloner.expr(i.value);
  Expr* element = build.expr<ir::Element>(type, cloner.expr(u->place.array), program.list(indices));
  return build.stmt<ir::Store>(u->place, build.expr<ir::Binary>(type, u->op, element, u->value));
}

}  // namespace

std::optional<KeptElement> keep_element(ir::Program& program, ir::Function& f, Block& body,
                                        const std::vector<ir::For*>& loops,
                                        const ir::LocalSet& computed) {
  ir::Update* update = only_update(body);
  if (!update) return std::nullopt;
  const ir::Place place = update->place;
  const types::Type *type = place.type(), *computes = update->value->type;
  if (type != computes && !(type->is_float() && computes->is_float())) return std::nullopt;
  for (const ir::Index& i : place.indices) {
    if (ir::reads_any(i.value, computed)) return std::nullopt;
    for (const ir::For* loop : loops)
      if (ir::reads(i.value, loop->index)) return std::nullopt;
  }
  bool read = false;
  ir::for_each_expr_in(std::as_const(body), [&](const Expr* e) {
    const auto* element = ir::try_as<ir::Element>(e);
    read = read || (element && ir::equal(element->array, place.array));
  });
  if (read) return std::nullopt;
  const ir::Builder build{program, update->span};
  f.locals.push_back(build.temp("sum", type));
  Local* sum = f.locals.back();
  ir::Cloner cloner(program);
  std::vector<ir::Index> indices(place.indices.begin(), place.indices.end());
  for (ir::Index& i : indices) i.value = cloner.expr(i.value);
  Expr* element = build.expr<ir::Element>(type, cloner.expr(place.array), program.list(indices));
  update->place = ir::Place{};
  update->place.local = sum;
  return KeptElement{build.assign(sum, element), build.stmt<ir::Store>(place, build.load(sum))};
}

namespace {

// Of the last store of a loop's body, y[…, j] = …: what the turns read of its array.
class LastStored {
 public:
  LastStored(const ir::Place& place, const ir::For& loop) : place_(place), loop_(loop) {}

  // Is the place the turn's own along its last axis, the same for all turns along the others?
  bool is_own() const {
    if (place_.indices.back().wrap || !ir::loaded(place_.array) ||
        ir::loaded(place_.indices.back().value) != loop_.index)
      return false;
    const ir::LocalSet assigned = ir::assigned_in(*loop_.body);
    const auto stays = [&](const ir::Index& i) {
      return !ir::reads(i.value, loop_.index) && !ir::reads_any(i.value, assigned) &&
             !ir::reads_memory(i.value);
    };
    return std::ranges::all_of(place_.indices.first(place_.indices.size() - 1), stays);
  }

  bool is_of_array(const Expr* e) const {
    const auto* element = ir::try_as<ir::Element>(e);
    return element && ir::equal(element->array, place_.array);
  }
  // y[…, j], which is as it was in front of the loop
  bool is_here(const ir::Element& element) const {
    return ir::equal(element.indices.back().value, place_.indices.back().value);
  }
  // y[…, j - 1]
  bool is_before(const ir::Element& element) const {
    const size_t last = place_.indices.size() - 1;
    for (size_t axis = 0; axis < last; ++axis)
      if (!ir::equal(element.indices[axis].value, place_.indices[axis].value) ||
          element.indices[axis].wrap != place_.indices[axis].wrap)
        return false;
    const Sum at = sum_of(element.indices[last].value);
    return !element.indices[last].wrap && at.base && ir::loaded(at.base) == loop_.index &&
           at.offset == -1;
  }

  // Does a turn read what the one before it stored, and nothing else that a turn may have?
  bool is_handed_on(const Expr* stored) const {
    bool fits = true, found = false;
    const auto look = [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        if (!is_of_array(part)) return;
        const auto& element = *ir::as<ir::Element>(part);
        fits = fits && (is_here(element) || is_before(element));
        found = found || !is_here(element);
      });
    };
    look(stored);
    for (const Stmt* s : *loop_.body) {
      if (s == loop_.body->back()) break;
      const auto* u = ir::try_as<ir::Update>(s);  // of another array, which may be the same one
      fits = fits && (s->kind == ir::StmtKind::kAssign || (u && u->place.local));
      ir::for_each_expr(s, look);
    }
    return fits && found;
  }

  void replace(Expr*& e, const ir::Builder& build, Local* last) const {
    if (is_of_array(e) && is_before(*ir::as<ir::Element>(e)))
      e = build.load(last);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, build, last); });
  }

 private:
  const ir::Place place_;
  const ir::For& loop_;
};

}  // namespace

ir::Stmt* keep_last(ir::Program& program, ir::Function& f, ir::For& loop) {
  const ir::Const* from = ir::constant(loop.lo);
  Block& body = *loop.body;
  auto* store = body.empty() ? nullptr : stored_last(program, body.back());
  if (!from || from->value.integer < 1 || !counts_by_one(loop) || !store) return nullptr;
  const ir::Place place = store->place;
  const types::Type* type = store->value->type;
  const LastStored stored(place, loop);
  if (type != place.type() || !stored.is_own() || !stored.is_handed_on(store->value))
    return nullptr;
  const ir::Builder build{program, store->span};
  f.locals.push_back(build.temp("last", type));
  Local* last = f.locals.back();
  body.pop_back();
  for (Stmt* s : body) ir::for_each_expr(s, [&](Expr*& e) { stored.replace(e, build, last); });
  stored.replace(store->value, build, last);
  body.push_back(build.assign(last, store->value));
  body.push_back(store);
  store->value = build.load(last);
  ir::Cloner cloner(program);
  std::vector<ir::Index> indices(place.indices.begin(), place.indices.end());
  for (ir::Index& i : indices) i.value = cloner.expr(i.value);
  indices.back().value = build.integer(from->value.integer - 1);
  Expr* element = build.expr<ir::Element>(type, cloner.expr(place.array), program.list(indices));
  Expr* turns = build.compare(ir::CompareOp::kLt, cloner.expr(loop.lo), cloner.expr(loop.hi));
  return build.assign(last, build.expr<ir::Select>(type, turns, element, build.zero(type)));
}

void forward_store(Block& before, const KeptElement& kept) {
  const auto* last = before.empty() ? nullptr : ir::try_as<ir::Store>(before.back());
  auto& load = *ir::as<ir::Assign>(kept.load);
  const auto& element = *ir::as<ir::Element>(load.value);
  if (!last || last->value->type != load.local->type) return;
  bool same = ir::equal(last->place.array, element.array);
  for (size_t k = 0; k < element.indices.size(); ++k)
    same = same && ir::equal(last->place.indices[k].value, element.indices[k].value);
  if (!same) return;
  load.value = last->value;
  before.pop_back();
}

ir::Block* nest_of(const ir::Builder& build, const std::vector<ir::For*>& loops, Block* block) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    (*loop)->body = block;
    block = build.block({*loop});
  }
  return block;
}

bool is_independent(const ir::Builder& build, const ir::For& loop,
                    const std::vector<ir::For*>& loops, Block& body,
                    const ir::EffectAnalysis& effects) {
  std::vector<ir::For*> others;
  for (const ir::For* other : loops)
    if (other != &loop) others.push_back(build.program.make<ir::For>(*other));
  auto* around = build.program.make<ir::For>(loop);
  around->body = nest_of(build, others, &body);
  return Iterations(*around, effects).are_independent(true);
}

ir::Block* take_front(ir::Program& program, ir::Function& f, const std::vector<ir::For*>& loops,
                      const ir::EffectAnalysis& effects) {
  Block& body = *loops.back()->body;
  const ir::Builder build{program, body.front()->span};
  const Block front(body.begin(), body.end() - 1);
  const ir::LocalSet assigned = ir::assigned_in(front);
  bool read = false;  // by the last
  ir::for_each_local_in(body.back(), [&](const Local* local, ir::Access) {
    read = read || assigned.contains(local);
  });
  if (read) return nullptr;
  for (const ir::For* loop : loops)
    if (!is_independent(build, *loop, loops, body, effects)) return nullptr;
  ir::Cloner cloner(program);
  std::vector<ir::For*> copies;
  for (const ir::For* loop : loops) {
    auto* copy = program.make<ir::For>(*loop);
    copy->index = cloner.renew(loop->index, f);
    copy->lo = cloner.expr(loop->lo);
    copy->hi = cloner.expr(loop->hi);
    copies.push_back(copy);
  }
  cloner.renew_assigned(front, f);
  body.erase(body.begin(), body.end() - 1);
  return nest_of(build, copies, cloner.block(front));
}

}  // namespace pyk2cu::emit
