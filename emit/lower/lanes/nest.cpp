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
