// Elements that stay while a loop turns, in variables: see scalars.h.
#include "emit/lower/scalars.h"

#include <algorithm>

#include "emit/lower/apart.h"
#include "emit/lower/evaluated.h"
#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lanes/last_stored.h"
#include "emit/lower/lanes/region.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::List;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr size_t kMostKept = 8;  // elements of a loop: there are no more registers

// An element that a loop stores to.
struct Kept {
  Expr* array;
  List<ir::Index> indices;
  bool moves;                   // it is another one in every turn
  Span span;                    // of the first statement that stores it
  int stores = 0;               // statements that do
  bool touched_always = false;  // by every turn
  bool stored_always = false;
  bool is_new = false;    // the first that a turn does with it is to store something else
  bool is_alone = false;  // nothing else of the array is touched
  Local* local = nullptr;
  Local* before = nullptr;  // what it was; null: every turn stores it

  bool is(const Expr* other, const List<ir::Index>& at) const {
    return ir::equal(array, other) &&
           std::ranges::equal(indices, at, [](const ir::Index& a, const ir::Index& b) {
             return a.wrap == b.wrap && ir::equal(a.value, b.value);
           });
  }
  static bool is_same(const Expr* a, const Expr* b) { return a && b ? ir::equal(a, b) : a == b; }
  // Surely another one of the same array: x + 1 beside x on some axis; x where the loop counts up
  // to x, or from x + 1 on.
  bool is_not(const List<ir::Index>& at, const ir::For& loop) const {
    for (size_t k = 0; k < indices.size(); ++k) {
      if (indices[k].wrap || at[k].wrap) continue;
      const Sum mine = sum_of(indices[k].value), its = sum_of(at[k].value);
      if (its.base && ir::loaded(its.base) == loop.index && counts_by_one(loop)) {
        const Sum lo = sum_of(loop.lo), hi = sum_of(loop.hi);
        if (is_same(mine.base, hi.base) && mine.offset >= hi.offset + its.offset) return true;
        if (is_same(mine.base, lo.base) && mine.offset < lo.offset + its.offset) return true;
      }
      const bool same = is_same(mine.base, its.base);
      if (same && mine.offset != its.offset) return true;
    }
    return false;
  }
};

// The elements that a loop adds up in, or the like; none: it is left alone.
class Candidates {
 public:
  Candidates(const ir::For& loop, const Iterations& iterations)
      : loop_(loop), iterations_(iterations) {
    ir::for_each_stmt(*loop.body, [&](Stmt* s) { stmt(s); });
    if (!fits_) all_.clear();
    bool left = false;  // by a break or a continue
    for (const Stmt* s : *loop.body) {
      if (!left)
        for (Kept& one : all_) top(s, one);
      left = left || jumps(s);
    }
    std::erase_if(all_, [&](const Kept& one) {
      const bool pays = one.moves ? one.stores > 1 && !left : is_read(one);
      const bool there = one.touched_always || (!one.moves && !left && may_ask(one));
      return !pays || !there || meets_another(one);
    });
    for (Kept& one : all_) {
      one.is_new = one.moves && is_new(one);
      one.is_alone = std::ranges::all_of(touched_, [&](const Touched& other) {
        return !ir::equal(other.array, one.array) || one.is(other.array, *other.indices);
      });
    }
  }

  std::vector<Kept> take() { return std::move(all_); }

 private:
  void stmt(Stmt* s) {
    switch (s->kind) {
      case StmtKind::kUpdate:
        fits_ = fits_ && !ir::as<ir::Update>(s)->atomic;
        break;
      case StmtKind::kBreak:
        fits_ = fits_ && ir::as<ir::Break>(s)->loop == &loop_;
        break;
      case StmtKind::kContinue:
        fits_ = fits_ && ir::as<ir::Continue>(s)->loop == &loop_;
        break;
      case StmtKind::kAssign:
      case StmtKind::kStore:
      case StmtKind::kIf:
        break;
      default:
        fits_ = false;
    }
    const Expr* stored = nullptr;  // the array of a place
    ir::for_each_place(s, [&](ir::Place& place) {
      if (place.local) return;
      stored = place.array;
      touch(s, place.array, place.indices, s->kind == StmtKind::kUpdate);
      if (stays(place)) add(place, s->span);
    });
    ir::for_each_expr(s, [&](Expr* e) {
      if (e != stored) expr(s, e);
    });
  }

  void touch(const Stmt* s, const Expr* array, const List<ir::Index>& indices, bool is_read) {
    touched_.push_back({s, array, &indices, is_read});
    fits_ = fits_ && is_name(array);
  }

  // Nothing but numbers, and elements by the names of their arrays.
  void expr(const Stmt* s, Expr* e) {
    if (auto* element = ir::try_as<ir::Element>(e)) {
      touch(s, element->array, element->indices, true);
      for (const ir::Index& i : element->indices) expr(s, i.value);
      return;
    }
    if (e->kind == ExprKind::kQuery) return;
    const auto* call = ir::try_as<ir::Call>(e);
    fits_ = fits_ && e->type->is_scalar() && !(call && !call->shared.empty());
    ir::for_each_operand(e, [&](Expr* o) { expr(s, o); });
  }

  bool is_name(const Expr* array) const {
    const Local* local = ir::loaded(array);
    return array->kind == ExprKind::kGlobal ||
           (local && !local->maybe_unbound && !iterations_.assigned().contains(local));
  }

  // Of which all is known where a turn begins.
  bool stays(const ir::Place& place) const {
    return is_name(place.array) && place.type()->is_scalar() &&
           std::ranges::all_of(place.indices, [&](const ir::Index& i) {
             return !i.check && !ir::has_effect(i.value) && !ir::reads_memory(i.value) &&
                    !ir::reads_any(i.value, iterations_.assigned());
           });
  }

  void add(const ir::Place& place, Span span) {
    auto at = std::ranges::find_if(
        all_, [&](const Kept& one) { return one.is(place.array, place.indices); });
    if (at == all_.end()) {
      const bool moves = std::ranges::any_of(
          place.indices, [&](const ir::Index& i) { return ir::reads(i.value, loop_.index); });
      at = all_.insert(at, {place.array, place.indices, moves, span});
      fits_ = fits_ && all_.size() <= kMostKept;
    }
    ++at->stores;
  }

  bool is_read(const Kept& one) const {
    return std::ranges::any_of(touched_, [&](const Touched& other) {
      return other.is_read && one.is(other.array, *other.indices);
    });
  }

  // Is where it lies known wherever the loop stands?
  static bool may_ask(const Kept& one) {
    return std::ranges::all_of(one.indices, [](const ir::Index& i) {
      const Sum sum = sum_of(i.value);
      const Local* base = ir::loaded(sum.base);
      return !i.wrap && i.value->type == types::int64() &&
             (!sum.base || (base && !base->maybe_unbound));
    });
  }

  bool is_new(const Kept& one) const {
    const Stmt* first = nullptr;
    bool read = false;  // by it
    for (const Touched& each : touched_) {
      if (!one.is(each.array, *each.indices)) continue;
      if (!first) first = each.stmt;
      read = read || (each.stmt == first && each.is_read);
    }
    return first->kind == StmtKind::kStore && !read &&
           std::ranges::find(*loop_.body, first) != loop_.body->end();
  }

  bool meets_another(const Kept& one) const {
    return std::ranges::any_of(touched_, [&](const Touched& other) {
      return ir::equal(other.array, one.array) && !one.is(other.array, *other.indices) &&
             !one.is_not(*other.indices, loop_);
    });
  }

  // What a turn surely does with it by a statement of the body itself.
  static void top(const Stmt* s, Kept& one) {
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local && one.is(place.array, place.indices))
        one.touched_always = one.stored_always = true;
    });
    const auto is_it = [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      return element && one.is(element->array, element->indices);
    };
    ir::for_each_expr(s, [&](const Expr* e) {
      one.touched_always = one.touched_always || any_evaluated(e, is_it);
    });
  }

  static bool jumps(const Stmt* s) {
    bool found = ir::is_jump(s);
    ir::for_each_block(
        s, [&](const Block& inner) { found = found || std::ranges::any_of(inner, jumps); });
    return found;
  }

  struct Touched {
    const Stmt* stmt;
    const Expr* array;
    const List<ir::Index>* indices;
    bool is_read;
  };

  const ir::For& loop_;
  const Iterations& iterations_;
  std::vector<Kept> all_{};
  std::vector<Touched> touched_{};
  bool fits_ = true;
};

// A loop with none inside, which stands for itself.
bool turns_alone(const ir::For& loop) {
  return !loop.simd && !loop.keeps_error && loop.reductions.empty() && loop.last_private.empty() &&
         ir::constant(loop.step) && !ir::any_stmt(*loop.body, ir::is_loop) &&
         !ir::has_effect(loop.lo) && !ir::has_effect(loop.hi);
}

class Variables {
 public:
  Variables(ir::Program& program, ir::Function& f, const std::vector<Kept>& kept)
      : program_(program), f_(f), kept_(kept) {
    for (Kept& one : kept_)
      one.local = f_.locals.emplace_back(
          ir::Builder{program_, one.span}.temp("kept", one.array->type->elem));
    for (Kept& one : kept_)
      if (!one.stored_always)
        one.before =
            f_.locals.emplace_back(ir::Builder{program_, one.span}.temp("before", one.local->type));
  }

  // A copy of the loop, whose variables are its own but for those that others see.
  ir::For* copy(const ir::For& loop, const ir::LocalSet& read_behind) {
    ir::Cloner cloner(program_);
    const Flow flow = flow_of(*loop.body);
    cloner.renew(loop.index, f_);
    for (const Local* local : ir::assigned_in(*loop.body))
      if (!local->maybe_unbound && !read_behind.contains(local) && !flow.exposes(local))
        cloner.renew(local, f_);
    auto* copy = ir::as<ir::For>(cloner.stmt(&loop));
    for (Kept& one : kept_) one.indices = element(one, cloner)->indices;
    replace(*copy->body);
    Block turn = between(*copy->body, true);
    *copy->body = std::move(turn);
    return copy;
  }

  // The loop between loads and stores of what stays the same all the time.
  Block* around(ir::For* loop) const { return program_.make<Block>(between({loop}, false)); }

  void add_to(ir::LocalSet& locals) const {
    for (const Kept& one : kept_)
      if (!one.moves) locals.insert(one.local);
  }

 private:
  ir::Element* element(const Kept& one, ir::Cloner& cloner) const {
    const ir::Builder build{program_, one.span};
    const auto* e = build.expr<ir::Element>(one.array->type->elem, one.array, one.indices);
    return ir::as<ir::Element>(cloner.expr(e));
  }

  Block between(const Block& inside, bool moves) const {
    ir::Cloner cloner(program_);
    Block all, stores;
    for (const Kept& one : kept_) {
      if (one.moves != moves) continue;
      const ir::Builder build{program_, one.span};
      const ir::Element* to = element(one, cloner);
      ir::Place place;
      place.array = to->array;
      place.indices = to->indices;
      Stmt* store = build.stmt<ir::Store>(place, build.load(one.local));
      stores.push_back(one.before ? build.if_(is_changed(one), build.block({store})) : store);
      if (one.is_new) continue;
      if (one.before) all.push_back(build.assign(one.before, element(one, cloner)));
      all.push_back(
          build.assign(one.local, one.before ? build.load(one.before) : element(one, cloner)));
    }
    all.insert(all.end(), inside.begin(), inside.end());
    all.insert(all.end(), stores.begin(), stores.end());
    return all;
  }

  // What is stored back unchanged could undo what another thread has stored meanwhile.
  Expr* is_changed(const Kept& one) const {
    const ir::Builder build{program_, one.span};
    Expr *now = build.load(one.local), *before = build.load(one.before);
    return one.local->type->is_int()
               ? build.compare(ir::CompareOp::kNe, now, before)
               : build.builtin(builtins::Id::lanes_differs, types::boolean(), {now, before});
  }

  const Kept* find(const Expr* array, const List<ir::Index>& indices) const {
    const auto at =
        std::ranges::find_if(kept_, [&](const Kept& k) { return k.is(array, indices); });
    return at == kept_.end() ? nullptr : &*at;
  }

  void replace(Block& body) const {
    for (Stmt*& s : body) {
      ir::for_each_block(s, [&](Block& inner) { replace(inner); });
      ir::for_each_expr(s, [&](Expr*& e) { replace(e); });
      auto* update = ir::try_as<ir::Update>(s);
      auto* store = ir::try_as<ir::Store>(s);
      if (!store && !(update && !update->place.local)) continue;
      const ir::Place& place = store ? store->place : update->place;
      const Kept* one = find(place.array, place.indices);
      if (!one) continue;
      if (store)
        s = ir::Builder{program_, s->span}.assign(one->local, store->value);
      else
        update->place = ir::Place{.local = one->local};
    }
  }

  void replace(Expr*& e) const {
    const auto* element = ir::try_as<ir::Element>(e);
    const Kept* one = element ? find(element->array, element->indices) : nullptr;
    if (one)
      e = ir::Builder{program_, e->span}.load(one->local);
    else
      ir::for_each_operand(e, [&](Expr*& o) { replace(o); });
  }

  ir::Program& program_;
  ir::Function& f_;
  std::vector<Kept> kept_;
};

// hi > lo
Expr* turns_at_all(ir::Program& program, const ir::For& loop) {
  ir::Cloner cloner(program);
  const bool up = ir::constant(loop.step)->value.integer > 0;
  return ir::Builder{program, loop.span}.compare(up ? ir::CompareOp::kGt : ir::CompareOp::kLt,
                                                 cloner.expr(loop.hi), cloner.expr(loop.lo));
}

class Scalars {
 public:
  Scalars(Lowering& lowering, ir::Function& f)
      : program_(lowering.program), f_(f), notes_(lowering.notes), effects_(f), behind_(f.body) {}

  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      auto* loop = ir::try_as<ir::For>(s);
      const Stmt* stands = nullptr;
      if (loop) stands = kept(b, *loop);
      if (loop && !stands) stands = handed_on(b, *loop);
      if (!stands && s->kind != StmtKind::kLanes) nested(b, s);
      // What is asked stands in front.
      const auto at = std::find(b.begin() + long(k), b.end(), stands ? stands : s);
      k = size_t(at - b.begin());
    }
  }

 private:
  void nested(Block& b, Stmt* s) {
    if (ir::is_loop(s)) around_.push_back({&b, s});
    auto* branch = ir::try_as<ir::If>(s);
    if (branch && branch->versions)
      block(*branch->body);
    else
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    if (ir::is_loop(s)) around_.pop_back();
  }

  // What stands now where the loop stood, the last of it; null: the loop.
  const Stmt* kept(Block& b, ir::For& loop) {
    const std::optional<InVariables> made =
        in_variables(program_, f_, loop, effects_, around_, behind_);
    if (!made) return nullptr;
    notes_.add(f_, &loop,
               counts(*made->loop, effects_)
                   ? Verdict{"vectors", kStraight}
                   : Verdict{"left to the C++ compiler", "what it stores is kept in a variable"});
    return instead(program_, f_, b, loop, *made, around_);
  }

  // One by one, of which each reads what the one before it stored: as above.
  const Stmt* handed_on(Block& b, ir::For& loop) {
    const std::optional<HandedOn> made = emit::handed_on(program_, f_, loop, effects_);
    if (!made) return nullptr;
    return instead(program_, f_, b, loop, {.block = made->block, .apart = made->apart}, around_);
  }

  ir::Program& program_;
  ir::Function& f_;
  LoopNotes& notes_;
  const ir::EffectAnalysis effects_;
  const ReadBehind behind_;  // before any loop was changed
  std::vector<Around> around_{};
};

bool counts_up_from_zero(const Local* local, const std::vector<Around>& around) {
  return std::ranges::any_of(around, [&](const Around& at) {
    const auto* loop = ir::try_as<ir::For>(at.loop);
    const ir::Const* lo = loop && loop->index == local ? ir::constant(loop->lo) : nullptr;
    return lo && lo->value.integer >= 0 && counts_by_one(*loop);
  });
}

// 0 <= index < extent
Expr* is_there(ir::Program& program, const Kept& one, const std::vector<Around>& around) {
  ir::Cloner cloner(program);
  const ir::Builder build{program, one.span};
  Expr* all = nullptr;
  const auto require = [&](Expr* next) { all = all ? build.logical(true, all, next) : next; };
  for (size_t axis = 0; axis < one.indices.size(); ++axis) {
    Expr* index = one.indices[axis].value;
    if (!ir::constant(index) && !counts_up_from_zero(ir::loaded(index), around))
      require(build.compare(ir::CompareOp::kGe, anywhere(cloner.expr(index)), build.integer(0)));
    require(build.compare(ir::CompareOp::kLt, anywhere(cloner.expr(index)),
                          build.extent(cloner.expr(one.array), int(axis))));
  }
  return all;
}

}  // namespace

bool counts_in_variables(ir::Program& program, ir::Function& f, const ir::For& loop,
                         const ir::EffectAnalysis& effects) {
  std::vector<Kept> kept;
  if (turns_alone(loop)) kept = Candidates(loop, Iterations(loop, effects)).take();
  if (kept.empty()) return false;
  const size_t locals = f.locals.size();
  const bool counted = counts(*Variables(program, f, kept).copy(loop, {}), effects);
  f.locals.resize(locals);
  return counted;
}

std::optional<InVariables> in_variables(ir::Program& program, ir::Function& f, const ir::For& loop,
                                        const ir::EffectAnalysis& effects,
                                        const std::vector<Around>& around,
                                        const ReadBehind& read_behind) {
  if (!turns_alone(loop)) return std::nullopt;
  std::vector<Kept> kept = Candidates(loop, Iterations(loop, effects)).take();
  const bool is_parallel = loop.loop == ir::LoopKind::kParallel;
  std::erase_if(kept,
                [&](const Kept& one) { return one.moves ? !one.stored_always : is_parallel; });
  TouchedArrays arrays = touched_by(*loop.body);
  const auto turns = constant_turns(loop);
  if (kept.empty() || !arrays.known || turns == 0 || effects.of(*loop.body).raises)
    return std::nullopt;
  const size_t stored = arrays.stored.size();
  arrays.stored.clear();
  for (const Kept& one : kept)
    if (Local* array = ir::loaded(one.array);
        std::ranges::find(arrays.stored, array) == arrays.stored.end())
      arrays.stored.push_back(array);
  const ir::Builder build{program, loop.span};
  InVariables made;
  const bool alone = arrays.all.size() == 1 && kept.front().is_alone;
  if (!alone) made.apart = apart(build, arrays, effects);
  const bool stays = std::ranges::any_of(kept, [](const Kept& k) { return !k.moves; });
  if (!turns && stays) made.there = turns_at_all(program, loop);
  for (const Kept& one : kept)
    if (!one.touched_always) {
      Expr* there = is_there(program, one, around);
      made.there = made.there ? build.logical(true, made.there, there) : there;
      made.asks = true;
      made.sums_rarely = made.sums_rarely || !one.array->type->elem->is_int();
    }
  made.read_behind = read_behind.of(&loop);
  Variables variables(program, f, kept);
  made.loop = variables.copy(loop, made.read_behind);
  made.loop->simd = !is_parallel && !stays && arrays.stored.size() == stored &&
                    fills_lanes(*made.loop, effects) &&
                    Iterations(*made.loop, effects).are_independent(true);
  made.block = variables.around(made.loop);
  variables.add_to(made.read_behind);
  return made;
}

const Stmt* instead(ir::Program& program, ir::Function& f, Block& b, ir::For& loop,
                    const InVariables& made, std::vector<Around> around) {
  const ir::Builder build{program, loop.span};
  Expr* condition = made.there;
  if (made.apart) {
    around.push_back({&b, &loop});
    condition = build.load(ask(program, f, "apart", made.apart, around));
    if (made.there) condition = build.logical(true, condition, made.there);
  }
  const auto at = std::ranges::find(b, &loop);
  if (!condition) {
    const Stmt* last = made.block->back();
    b.insert(b.erase(at), made.block->begin(), made.block->end());
    return last;
  }
  const bool is_idle = !made.apart && !made.asks;  // where it does not hold
  Block* orelse = is_idle ? nullptr : build.block({&loop});
  return *at = build.versions(condition, made.block, orelse);
}

void scalars(Lowering& lowering) {
  for (ir::Function* f : lowering.program.functions)
    if (f->kind == ir::FunctionKind::kHost) Scalars(lowering, *f).block(f->body);
}

}  // namespace pyk2cu::emit
