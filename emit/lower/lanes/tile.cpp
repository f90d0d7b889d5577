// Tiles: see tile.h.
//
// The loops of the nest stand alone in one another, and none hangs on another. Each is either
// independent (of two of its iterations none touches what the other stores, wherever the other
// loops are) or it is not: then it adds up, and such loops keep their order among one another.
// Whatever meets another instance of the body in memory does so in the same iteration of all
// independent loops, so these may stand in any order, in front of the others.
//
//   lanes   the independent loop along which most elements lie side by side
//   rows    the independent loop that elements which move with the lanes do not hang on: what is
//           loaded for one of its iterations serves the others
//
// Outside the lanes stay the independent loops on which all of these elements hang; inside stand
// the others, the rows last, then those that add up. The element that they add to is kept in a
// variable. Tested by tests/golden/gangs/tiles.py and tests/run/test_tiles.py.
#include "emit/lower/lanes/tile.h"

#include <algorithm>
#include <limits>

#include "emit/lower/apart.h"
#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes/jam.h"
#include "emit/lower/lanes/nest.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kInside = 8;        // turns that a loop is taken to make
constexpr int64_t kFew = 7;       // lanes that no tile is made for
constexpr int64_t kFewRows = 32;  // that are one portion in any case (pyk::tile_rows)

bool counts_plainly(const ir::For& loop) {
  return counts_by_one(loop) && loop.reductions.empty() && loop.last_private.empty() &&
         !loop.keeps_error;
}

bool is_parallel(const ir::For& loop) { return loop.loop == ir::LoopKind::kParallel; }

// Do loops hold one another?
bool is_nest(const Stmt* s) {
  bool inner = false;
  ir::for_each_block(s, [&](const Block& body) {
    for (const Stmt* one : body) inner = inner || ir::is_loop(one);
  });
  return inner;
}

// c[i, j] = 0; …c[i, j]…: of four rows of these GCC 12 makes memset, and reads one of them before.
bool fills_and_reads(const Block& body) {
  ir::LocalSet filled;
  bool read = false;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* store = ir::try_as<ir::Store>(s);
    if (store && ir::constant(store->value)) filled.insert(ir::loaded(store->place.array));
  });
  const auto look = [&](const Expr* array) { read = read || filled.contains(ir::loaded(array)); };
  ir::for_each_expr_in(body, [&](const Expr* e) {
    if (const auto* element = ir::try_as<ir::Element>(e)) look(element->array);
  });
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* update = ir::try_as<ir::Update>(s);
    if (update && !update->place.local) look(update->place.array);
  });
  return read;
}

// Of rows that one core takes: they count from a constant on, so that no portion ends beyond all
// numbers, and are not too few.
bool may_be_portions(const ir::For& rows) {
  const ir::Const* lo = ir::constant(rows.lo);
  return lo && std::abs(lo->value.integer) < std::numeric_limits<int32_t>::max() &&
         !turns_less(rows, kFewRows + 1);
}

struct Portions {
  Stmt* front = nullptr;    // in front of them
  ir::For* loop = nullptr;  // over them; it may be parallel
};

class Tiler {
 public:
  Tiler(ir::Program& program, ir::Function& f, const ir::For& loop,
        const ir::EffectAnalysis& effects)
      : program_(program), f_(f), source_(loop), effects_(effects), build_{program, loop.span} {}

  std::optional<Tile> run(const ir::LocalSet& read_behind) {
    for (const Local* local : ir::assigned_in(*source_.body))
      if (read_behind.contains(local)) return std::nullopt;
    if (!is_nest(&source_) || !is_plain(&source_) || !unfold() || !classify() || !choose())
      return std::nullopt;
    if (!adding_.empty()) {
      if (!adds_inside_) kept_ = keep_element(program_, f_, *body_, adding_, computed_);
      if (!kept_) return std::nullopt;
    }
    keep_inside(*body_);
    if (fills_and_reads(*body_)) return std::nullopt;
    return build();
  }

 private:
  // ---- the nest --------------------------------------------------------------------------------
  // Counted loops, branches, and what computes and stores numbers; nothing raises.
  bool is_plain(const Stmt* s) const {
    const auto* loop = ir::try_as<ir::For>(s);
    if (loop && !(counts_plainly(*loop) && (loop == &source_ || !is_parallel(*loop)))) return false;
    if (const auto* a = ir::try_as<ir::Assign>(s); a && !a->local->type->is_real()) return false;
    bool plain = loop || s->kind == StmtKind::kAssign || s->kind == StmtKind::kUpdate ||
                 s->kind == StmtKind::kStore || s->kind == StmtKind::kIf;
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        plain = plain && part->kind != ir::ExprKind::kCall && part->kind != ir::ExprKind::kView;
      });
      plain = plain && !ir::has_effect(e);
    });
    ir::for_each_block(s, [&](const Block& block) {
      for (const Stmt* inner : block) plain = plain && is_plain(inner);
    });
    return plain;
  }

  // The loops of a copy, outermost first, and the body of the innermost one.
  bool unfold() {
    ir::Cloner cloner(program_);
    cloner.renew(source_.index, f_);
    cloner.renew_assigned(*source_.body, f_);
    const Stmt* loop = &source_;
    for (auto* copy = ir::as<ir::For>(cloner.stmt(loop)); copy;) {
      loops_.push_back(copy);
      copy->lo = anywhere(copy->lo);  // the loops change places
      copy->hi = anywhere(copy->hi);
      if (!is_private(*copy->body)) return false;
      sink(*copy->body);
      body_ = copy->body;
      const bool several = body_->size() > 1 && ir::try_as<ir::For>(body_->back());
      if (several && front_.empty() && is_nest(body_->back()))
        if (const Block* front = take_front(program_, f_, loops_, effects_)) front_ = *front;
      copy = body_->size() == 1 ? ir::try_as<ir::For>(body_->front()) : nullptr;
    }
    const ir::LocalSet assigned = ir::assigned_in(loops_.front());
    bool fixed = true;
    const auto look = [&](const ir::For& one) {
      for (const Expr* e : {one.lo, one.hi})
        fixed = fixed && !ir::reads_memory(e) && !ir::reads_any(e, assigned);
    };
    for (const ir::For* one : loops_) look(*one);
    computed_ = ir::assigned_in(*body_);
    ir::for_each_stmt(std::as_const(*body_), [&](const Stmt* s) {
      const auto* one = ir::try_as<ir::For>(s);
      if (!one) return;
      look(*one);
      computed_.erase(one->index);
      adds_inside_ = true;
    });
    return fixed && loops_.size() >= 2;
  }

  // x = a[i, k]; for j: …x…   ->   for j: …a[i, k]…
  void sink(Block& block) {
    auto* loop = block.empty() ? nullptr : ir::try_as<ir::For>(block.back());
    if (!loop) return;
    while (block.size() > 1) {
      const auto* a = ir::try_as<ir::Assign>(block.front());
      if (!a || a->local->maybe_unbound || !stays(*a, *loop)) return;
      block.erase(block.begin());
      const auto forward = [&](Stmt* s) {
        ir::for_each_expr(s, [&](Expr*& e) { replace(e, a->local, a->value); });
      };
      ir::for_each_stmt(block, forward);
    }
  }

  // Is the value the same, computed anywhere in the loop, as in front of it?
  bool stays(const ir::Assign& a, const ir::For& loop) const {
    ir::LocalSet assigned = ir::assigned_in(loops_.front());
    for (const ir::For* around : loops_) assigned.erase(around->index);
    if (ir::reads_any(a.value, assigned)) return false;
    if (ir::reads(loop.lo, a.local) || ir::reads(loop.hi, a.local)) return false;
    bool stored = false;
    int times = 0;  // that it is assigned anywhere
    ir::for_each_stmt(std::as_const(*loops_.front()->body), [&](const Stmt* s) {
      ir::for_each_local(s, [&](const Local* one, ir::Access access) {
        times += one == a.local && access != ir::Access::kRead;
      });
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (place.local) return;
        ir::for_each_subexpr(a.value, [&](const Expr* e) {
          const auto* element = ir::try_as<ir::Element>(e);
          stored = stored || (element && ir::equal(element->array, place.array));
        });
      });
    });
    return !stored && times == 1;
  }

  void replace(Expr*& e, const Local* local, const Expr* value) {
    if (ir::loaded(e) == local)
      e = ir::Cloner(program_).expr(value);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, local, value); });
  }

  // Every run of the block has its own variables.
  static bool is_private(const Block& block) {
    const Flow flow = flow_of(block);
    for (const Local* local : ir::assigned_in(block))
      if (flow.exposes(local) || local->maybe_unbound) return false;
    return true;
  }

  // Which loops are independent?
  bool classify() {
    Block both = front_;
    both.insert(both.end(), body_->begin(), body_->end());
    const TouchedArrays arrays = touched_by(both);
    const ir::LocalSet assigned = ir::assigned_in(loops_.front());
    if (!arrays.known || arrays.stored.empty()) return false;
    for (const Local* array : arrays.all) {
      if (assigned.contains(array)) return false;
      if (array->type->rank > 1 && array->type->layout == types::Layout::kAny) return false;
    }
    condition_ = apart(build_, arrays, effects_);
    for (ir::For* loop : loops_) {
      const bool independent = is_independent(build_, *loop, loops_, *body_, effects_);
      if (!independent && is_parallel(*loop)) return false;
      (independent ? independent_ : adding_).push_back(loop);
    }
    return independent_.size() >= 2 && (adds_inside_ || !adding_.empty());
  }

  // ---- which loop is which ---------------------------------------------------------------------
  struct Access {
    const ir::List<ir::Index>* indices;
    const types::Type* array;
    int weight;
    bool is_load;
  };

  void collect(const Block& block, int weight, std::vector<Access>& out) const {
    for (const Stmt* s : block) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) out.push_back({&place.indices, place.array->type, weight, false});
      });
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) {
          if (const auto* element = ir::try_as<ir::Element>(part))
            out.push_back({&element->indices, element->array->type, weight, true});
        });
      });
      const int inside = ir::is_loop(s) ? weight * kInside : weight;
      ir::for_each_block(s, [&](const Block& inner) { collect(inner, inside, out); });
    }
  }

  // A variable of the body may hang on any loop.
  bool hangs_on(const Expr* e, const Local* index) const {
    return ir::reads(e, index) || ir::reads_any(e, computed_);
  }
  bool hangs_on(const Access& access, const Local* index) const {
    return std::ranges::any_of(*access.indices,
                               [&](const ir::Index& i) { return hangs_on(i.value, index); });
  }

  // Elements side by side, less those that are not.
  int score(const ir::For& loop, const std::vector<Access>& all) const {
    int sum = 0;
    for (const Access& access : all) {
      if (!hangs_on(access, loop.index)) continue;
      const size_t last = access.indices->size() - 1;
      const size_t near = access.array->layout == types::Layout::kF ? 0 : last;
      bool beside = true;
      for (size_t axis = 0; axis <= last; ++axis)
        beside = beside && (axis == near) == hangs_on((*access.indices)[axis].value, loop.index);
      sum += beside ? access.weight : -access.weight;
    }
    return sum;
  }

  bool choose() {
    std::vector<Access> all;
    collect(*body_, adding_.empty() ? 1 : kInside, all);
    int best = std::numeric_limits<int>::min();
    for (ir::For* loop : independent_)
      if (const int points = score(*loop, all); points >= best) best = points, lanes_ = loop;
    for (ir::For* loop : independent_) {
      if (loop == lanes_) continue;
      // Loads that loops repeat and that move with the lanes, and not with this loop.
      const bool serves = std::ranges::any_of(all, [&](const Access& access) {
        return access.is_load && access.weight >= kInside && hangs_on(access, lanes_->index) &&
               !hangs_on(access, loop->index);
      });
      (serves ? inside_ : outside_).push_back(loop);
    }
    return !inside_.empty() && !turns_less(*inside_.back(), kRows) &&
           !turns_less(*lanes_, kFew + 1) && (!is_parallel(*loops_.front()) || fits_parallel());
  }

  // The parallel loop stays outermost, or its iterations are taken in portions.
  bool fits_parallel() const { return outside_.empty() || loops_.front() == outside_.front(); }

  // ---- what they add to ------------------------------------------------------------------------
  // Loops inside the body that add to one element all the time.
  void keep_inside(Block& block) {
    Block all;
    for (Stmt* s : block) {
      std::vector<ir::For*> loops;
      Block* inner = nullptr;
      for (auto* loop = ir::try_as<ir::For>(s); loop;) {
        loops.push_back(loop);
        inner = loop->body;
        loop = inner->size() == 1 ? ir::try_as<ir::For>(inner->front()) : nullptr;
      }
      std::optional<KeptElement> kept;
      if (inner) kept = keep_element(program_, f_, *inner, loops, computed_);
      if (kept) forward_store(all, *kept);
      if (kept) all.push_back(kept->load);
      all.push_back(s);
      if (!kept) continue;
      all.push_back(kept->store);
      for (const ir::For* loop : loops) require_turn(*loop);
    }
    block = std::move(all);
  }

  // ---- the new nest ----------------------------------------------------------------------------
  Local* temp(std::string_view name, const types::Type* type) {
    f_.locals.push_back(build_.temp(name, type));
    return f_.locals.back();
  }

  // A loop that turns never would leave out what now stands in front of it; `beyond`: of lanes that
  // are fewer, a tile is slower.
  void require_turn(const ir::For& loop, int64_t beyond = 0) {
    const ir::Const* from = ir::constant(loop.lo);
    if (from && ir::constant(loop.hi) && !turns_less(loop, beyond + 1)) return;
    if (beyond && (!from || from->value.integer > std::numeric_limits<int64_t>::max() - beyond))
      return;
    ir::Cloner cloner(program_);
    Expr* lo = beyond ? build_.integer(from->value.integer + beyond) : cloner.expr(loop.lo);
    Expr* turns = build_.compare(ir::CompareOp::kLt, lo, cloner.expr(loop.hi));
    if (std::ranges::any_of(asked_, [&](const Expr* one) { return ir::equal(one, turns); })) return;
    asked_.push_back(turns);
    condition_ = condition_ ? build_.logical(true, condition_, turns) : turns;
  }

  // for i in range(lo, hi): …   ->   for first in range(lo, hi, step): last = …; …i from first…
  // `loop` goes over one of them then, `last` is assigned in `before`.
  Portions in_portions(ir::For*& loop, Block& before) {
    const std::string name(loop->index->name.str());
    const bool parallel = is_parallel(*loop);
    Local* step = temp(name + "_step", types::int64());
    Stmt* front = build_.assign(
        step, build_.builtin(builtins::Id::pyk_tile_rows, types::int64(),
                             {turns_of(build_, *loop), additions(), build_.boolean(parallel)}));
    ir::For* portions = loop;
    ir::Cloner cloner(program_);
    Local* first = temp(name + "_first", types::int64());
    Local* last = temp(name + "_last", types::int64());
    Expr* left = build_.plain(ir::BinaryOp::kSub, cloner.expr(loop->hi), build_.load(first));
    Expr* some =
        build_.builtin(builtins::Id::builtins_min, types::int64(), {build_.load(step), left});
    before.push_back(
        build_.assign(last, build_.plain(ir::BinaryOp::kAdd, build_.load(first), some)));
    loop = build_.stmt<ir::For>(loop->index, build_.load(first), build_.load(last),
                                build_.integer(1), ir::LoopKind::kSerial, build_.block());
    portions->index = first;
    portions->step = build_.load(step);
    if (portions->schedule == ir::Schedule::kSmall) portions->schedule = ir::Schedule::kOneByOne;
    return {front, portions};
  }

  // About how many there are to an element.
  Expr* additions() const {
    if (!adding_.empty()) return turns_of(build_, *adding_.back());
    for (const Stmt* s : *body_)
      if (const auto* loop = ir::try_as<ir::For>(s)) return turns_of(build_, *loop);
    return build_.integer(1);
  }

  Tile build() {
    Tile tile;
    tile.block = build_.block();
    for (ir::For* loop : adding_) require_turn(*loop);
    require_turn(*lanes_, kFew);
    const bool parallel = is_parallel(*inside_.front());
    ir::For*& taken = parallel ? inside_.front() : inside_.back();
    Portions portions;
    if (parallel || (!is_parallel(*lanes_) && may_be_portions(*taken)))
      portions = in_portions(taken, *tile.block);
    const bool in_portion = portions.loop && (!parallel || inside_.size() == 1);
    ir::For* rows = inside_.back();

    Block* block = nest_of(build_, adding_, body_);
    if (kept_) {
      block->insert(block->begin(), kept_->load);
      block->push_back(kept_->store);
    }
    rows->body = block;
    Local* rest = temp(std::string(rows->index->name.str()) + "_rest", types::int64());
    tile.block->push_back(
        build_.assign(rest, whole_groups(build_, rows->lo, rows->hi, kRows, in_portion)));
    block = jam(program_, f_, *rows, kRows, rest, block->size());
    tile.rows = rows;
    inside_.pop_back();
    lanes_->body = nest_of(build_, inside_, block);
    tile.lanes = lanes_;
    tile.block->push_back(lanes_);
    tile.nest = tile.block;
    if (portions.loop) {
      tile.nest = nest_of(build_, {portions.loop}, tile.nest);
      tile.nest->insert(tile.nest->begin(), portions.front);
    }
    tile.nest = nest_of(build_, outside_, tile.nest);
    tile.front = front_;
    tile.nest->insert(tile.nest->begin(), front_.begin(), front_.end());
    tile.condition = condition_;
    return tile;
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::For& source_;
  const ir::EffectAnalysis& effects_;
  const ir::Builder build_;
  std::vector<ir::For*> loops_{};
  Block* body_ = nullptr;
  bool adds_inside_ = false;  // the body has loops
  ir::LocalSet computed_{};   // variables of the body, its loops' aside
  std::vector<ir::For*> independent_{}, adding_{}, outside_{}, inside_{};
  ir::For* lanes_ = nullptr;
  Expr* condition_ = nullptr;
  std::vector<const Expr*> asked_{};  // that loops turn, in the condition
  std::optional<KeptElement> kept_{};
  Block front_{};  // what comes first
};

}  // namespace

std::optional<Tile> tile(ir::Program& program, ir::Function& f, const ir::For& loop,
                         const ir::EffectAnalysis& effects, const ir::LocalSet& read_behind) {
  return Tiler(program, f, loop, effects).run(read_behind);
}

}  // namespace pyk2cu::emit
