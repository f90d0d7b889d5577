// Elements that the turn before stored: see last_stored.h.
//
// Tested by tests/golden/gangs/row_sums.py and tests/run/test_straight.py.
#include "emit/lower/lanes/last_stored.h"

#include <algorithm>
#include <functional>
#include <span>

#include "emit/lower/apart.h"
#include "emit/lower/iterations.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

class Keeper {
 public:
  Keeper(ir::Program& program, ir::Function& f, ir::For& loop)
      : program_(program), f_(f), loop_(loop), assigned_(ir::assigned_in(*loop.body)) {}

  LastStored run() {
    LastStored kept;
    const TouchedArrays arrays = touched_by(*loop_.body);
    if (!arrays.known || !counts_by_one(loop_) || !is_simple()) return kept;
    Block& body = *loop_.body;
    for (size_t k = 0; k < body.size(); ++k) {
      ir::Store* store = stored(body[k]);
      if (!store || !is_own(store->place) || stores_to(store->place.array) != 1) continue;
      if (!is_number(*store)) continue;
      Stmt* first = keep(k, *store);
      if (!first) continue;
      kept.front.push_back(first);
      ++k;  // the variable comes before the store
    }
    if (!kept.front.empty()) kept.stored = arrays.stored;
    return kept;
  }

 private:
  // Every turn reaches all of its statements, or leaves the loop; nothing is stored but by Stores.
  bool is_simple() const {
    return !ir::any_stmt(*loop_.body, [&](const Stmt* s) {
      bool acts = ir::is_loop(s) || s->kind == ir::StmtKind::kContinue;
      ir::for_each_expr(s, [&](const Expr* e) { acts = acts || ir::has_effect(e); });
      return acts;
    });
  }

  // The store to an element, or the update of one as a store; null: it is none.
  ir::Store* stored(Stmt* s) const {
    const auto* u = ir::try_as<ir::Update>(s);
    if (!u || u->place.local || u->atomic) return ir::try_as<ir::Store>(s);
    const types::Type* type = u->place.type();
    const bool plain = u->op <= BinaryOp::kMul || u->op >= BinaryOp::kAnd;
    if (u->value->type != type || !(type->is_float() || (type->is_int() && plain))) return nullptr;
    const ir::Builder build{program_, s->span};
    ir::Cloner cloner(program_);
    std::vector<ir::Index> indices(u->place.indices.begin(), u->place.indices.end());
    for (ir::Index& i : indices) i.value = cloner.expr(i.value);
    Expr* element =
        build.expr<ir::Element>(type, cloner.expr(u->place.array), program_.list(indices));
    return build.stmt<ir::Store>(
        u->place, build.expr<ir::Binary>(type, u->op, element, u->value, false, !u->wraps));
  }

  // As the element is: converted once, in the variable.
  static bool is_number(const ir::Store& store) {
    const types::Type *from = store.value->type, *to = store.place.type();
    return from == to || (from->is_int() && to->is_int()) || (from->is_float() && to->is_float());
  }

  // Is the place the turn's own along its last axis, the same for all turns along the others?
  bool is_own(const ir::Place& place) const {
    const Local* array = ir::loaded(place.array);
    if (place.indices.back().wrap || !array || assigned_.contains(array) ||
        ir::loaded(place.indices.back().value) != loop_.index)
      return false;
    const auto stays = [&](const ir::Index& i) {
      return !ir::reads(i.value, loop_.index) && !ir::reads_any(i.value, assigned_) &&
             !ir::reads_memory(i.value);
    };
    return std::ranges::all_of(place.indices.first(place.indices.size() - 1), stays);
  }

  int stores_to(const Expr* array) const {
    int count = 0;
    ir::for_each_stmt(*loop_.body, [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        count += !place.local && ir::equal(place.array, array);
      });
    });
    return count;
  }

  // y[…, j - 1]
  bool is_before(const Expr* e, const ir::Place& place) const {
    const auto* element = ir::try_as<ir::Element>(e);
    if (!element || !ir::equal(element->array, place.array)) return false;
    const size_t last = place.indices.size() - 1;
    for (size_t axis = 0; axis < last; ++axis)
      if (!ir::equal(element->indices[axis].value, place.indices[axis].value) ||
          element->indices[axis].wrap != place.indices[axis].wrap)
        return false;
    const Sum at = sum_of(element->indices[last].value);
    return !element->indices[last].wrap && !element->indices[last].check && at.base &&
           ir::loaded(at.base) == loop_.index && at.offset == -1;
  }

  void replace(Expr*& e, const ir::Place& place, const std::function<Expr*()>& last) {
    if (is_before(e, place))
      e = last();
    else
      ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, place, last); });
  }

  // Is there an element before that of the first turn? Where turns ask which one they are, the text
  // does not say so.
  bool has_first(size_t k, const ir::Store& store) const {
    if (const ir::Const* from = ir::constant(loop_.lo)) return from->value.integer >= 1;
    bool sure = reads_in_any_case(store.value, store.place);
    for (const Stmt* s : std::span(*loop_.body).first(k))
      ir::for_each_expr(s,
                        [&](const Expr* e) { sure = sure || reads_in_any_case(e, store.place); });
    return sure;
  }

  bool reads_in_any_case(const Expr* e, const ir::Place& place) const {
    if (is_before(e, place)) return true;
    const auto* logical = ir::try_as<ir::Logical>(e);
    const auto* select = ir::try_as<ir::Select>(e);
    bool found = false;
    ir::for_each_operand(e, [&](const Expr* operand) {
      const bool sure =
          (!logical || operand == logical->left) && (!select || operand == select->condition);
      found = found || (sure && reads_in_any_case(operand, place));
    });
    return found;
  }

  // The k-th statement stores: what is read of the turn before up to there is the variable. Null:
  // nothing is.
  Stmt* keep(size_t k, ir::Store& store) {
    Block& body = *loop_.body;
    const ir::Place place = store.place;
    bool found = false;
    const auto look = [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) { found = found || is_before(part, place); });
    };
    if (!has_first(k, store)) return nullptr;
    look(store.value);
    Block before(body.begin(), body.begin() + long(k));
    bool leaves = false;  // perhaps in the first turn, which then stores nothing
    ir::for_each_stmt(std::as_const(before), [&](const Stmt* s) {
      leaves = leaves || ir::is_jump(s) || s->kind == ir::StmtKind::kRaise;
      ir::for_each_expr(s, look);
    });
    if (!found || leaves) return nullptr;
    const types::Type* type = place.type();
    const ir::Builder build{program_, store.span};
    f_.locals.push_back(build.temp("last", type));
    Local* last = f_.locals.back();
    const auto load = [&]() -> Expr* { return build.load(last); };
    ir::for_each_stmt(
        before, [&](Stmt* s) { ir::for_each_expr(s, [&](Expr*& e) { replace(e, place, load); }); });
    replace(store.value, place, load);
    Expr* value = store.value;
    if (value->type != type)
      value = build.expr<ir::Convert>(type, ir::conversion(value->type, type), value);
    body.insert(body.begin() + long(k), build.assign(last, value));
    store.value = build.load(last);
    body[k + 1] = &store;
    return first_value(build, place, last);
  }

  Stmt* first_value(const ir::Builder& build, const ir::Place& place, Local* last) const {
    ir::Cloner cloner(program_);
    std::vector<ir::Index> indices(place.indices.begin(), place.indices.end());
    for (ir::Index& i : indices) i.value = cloner.expr(i.value);
    const ir::Const* from = ir::constant(loop_.lo);
    indices.back().value =
        from ? build.integer(from->value.integer - 1)
             : build.plain(BinaryOp::kSub, cloner.expr(loop_.lo), build.integer(1));
    Expr* element =
        build.expr<ir::Element>(last->type, cloner.expr(place.array), program_.list(indices));
    Expr* turns = build.compare(ir::CompareOp::kLt, cloner.expr(loop_.lo), cloner.expr(loop_.hi));
    return build.assign(last,
                        build.expr<ir::Select>(last->type, turns, element, build.zero(last->type)));
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  const ir::LocalSet assigned_;
};

}  // namespace

LastStored keep_last(ir::Program& program, ir::Function& f, ir::For& loop) {
  return Keeper(program, f, loop).run();
}

std::optional<HandedOn> handed_on(ir::Program& program, ir::Function& f, const ir::For& loop,
                                  const ir::EffectAnalysis& effects) {
  if (loop.loop != ir::LoopKind::kSerial || !loop.last_private.empty()) return std::nullopt;
  auto* copy = ir::as<ir::For>(ir::Cloner(program).stmt(&loop));
  const LastStored kept = keep_last(program, f, *copy);
  if (kept.front.empty()) return std::nullopt;
  const ir::Builder build{program, loop.span};
  HandedOn made;
  if (kept.stored.size() > 1) made.apart = apart(build, {kept.stored, kept.stored}, effects);
  if (made.apart) {
    ir::Cloner own(program);
    own.renew(loop.index, f);
    copy = ir::as<ir::For>(own.stmt(copy));
  }
  made.block = build.block();
  made.block->assign(kept.front.begin(), kept.front.end());
  made.block->push_back(copy);
  return made;
}

}  // namespace pyk2cu::emit
