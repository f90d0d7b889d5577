// What integers can be: proves indices non-negative, arithmetic free of overflow, checks needless.
//
//   for i in range(1, n): a[i - 1]     ->  Index::wrap cleared: i - 1 >= 0
//   a[i * m + j], m >= 1               ->  likewise: no array has an element beyond 2**63
//   i + 1 with i < n                   ->  Binary::plain: prints as i + 1, not pyk::add(i, 1)
//   if n == 0: raise …                 ->  dropped where n > 0 is known
//   range(a, b, step)                  ->  For::form: which way it counts
//
// One walk in program order with Known as state. A loop's head is what holds before it, widened by
// what the body assigns: a variable that only moves by small constants stays within 2**62 (no
// program counts further); all others lose what was known, then win back what the body's end knows.
// Finding that out takes further walks over bodies; together they are at most a few times as long
// as the function. Tested by tests/golden/ranges.
#include "emit/lower/ranges.h"

#include <algorithm>
#include <unordered_set>

#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::constant;
using ir::Expr;
using ir::ExprKind;
using ir::loaded;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kSmallStep = 1 << 20;
constexpr Wide kMaxWay = Wide{1} << 60;  // no loop gets further by small steps
constexpr int kMaxRefinedDepth = 5;
constexpr int kMaxGuessedDepth = 2;  // inside a walk that only finds out about an outer loop
constexpr int kMaxRounds = 5;        // of guesses about a loop
constexpr int64_t kExtraWalks = 8;   // over the function, for loops to settle

// How a loop's body changes a variable.
struct Change {
  bool counts = true;  // only by small constants, or set to constants
  bool up = false, down = false;
  Interval set{};
  bool has_set = false;
};
using Changes = std::unordered_map<const Local*, Change>;

// What stands in a loop's body, whatever is known.
struct BodyFacts {
  Changes changes{};  // of all that it assigns
  bool breaks = false, continues = false, is_innermost = true;
  bool writes = false;  // elements of arrays, or anything that is not seen
};

// Is not all of it evaluated whenever the statement is?
bool chooses(const Stmt* s) {
  bool found = ir::is_jump(s) || s->kind == StmtKind::kIf || ir::is_loop(s);
  ir::for_each_expr(s, [&](const Expr* e) {
    ir::for_each_subexpr(e, [&](const Expr* part) {
      found = found || part->kind == ExprKind::kSelect || part->kind == ExprKind::kLogical ||
              part->kind == ExprKind::kCall;
    });
  });
  return found;
}

// May what follows in its block not run?
bool leaves(const Stmt* s) {
  bool found = false;
  const auto look = [&](const Stmt* one) {
    found = found || ir::is_jump(one);
    ir::for_each_expr(one, [&](const Expr* e) {
      ir::for_each_subexpr(
          e, [&](const Expr* part) { found = found || part->kind == ExprKind::kCall; });
    });
  };
  look(s);
  ir::for_each_block(s, [&](const Block& inner) { ir::for_each_stmt(inner, look); });
  return found;
}

// What variables are that are assigned once, and have been, to sums and products of parameters and
// of indices of loops around: o = i * m.
struct Given {
  std::unordered_map<const Local*, Expr*> values{};
  // In this block. All that followed runs whenever they are assigned, unless an index or an
  // allocation raises: then nobody asks for the values that do not fit.
  ir::LocalSet fresh{};
};

class Ranges : MarkPlain {
 public:
  // fits: to be filled, or null
  explicit Ranges(Fits* fits) : fits_(fits) {}

  void run(ir::Function& f) {
    int64_t statements = 0;
    ir::for_each_stmt(f.body, [&](Stmt* s) {
      ++statements;
      if (const auto* a = ir::try_as<ir::Assign>(s)) ++sets_[a->local];
      if (const auto* loop = ir::try_as<ir::For>(s)) indices_.insert(loop->index);
    });
    walks_left_ = kExtraWalks * statements + 1000;
    for (Stmt* s : f.body) {
      stmt(s);
      known_.keep();
    }
    drop(f.body);
  }

 private:
  // ---- what expressions tell -------------------------------------------------------------------
  void arithmetic(Expr* e, bool plain) override {
    const auto* binary = ir::try_as<ir::Binary>(e);
    const bool known = fits_ && binary && binary->plain;  // of what ranges() knows more than this
    if (recording_ && !known) MarkPlain::arithmetic(e, plain);
  }

  void index(ir::Index& i, const Interval& value, const Expr* array, int axis,
             const Known& known) override {
    if (!recording_) return;
    bool needless = value.lo >= 0;
    // n - 1 of an extent n is negative for an empty array only, where any index is out of range.
    if (const Local* local = array ? loaded(array) : nullptr; local && !needless) {
      const auto extent = extent_of(i.value, known);
      needless = extent && extent->array == local && extent->axis == axis && extent->offset == -1;
    }
    if (!needless && i.wrap && !i.check && is_natural(i.value)) {
      make_plain(i.value);
      needless = true;
    }
    if (needless) i.wrap = false;
  }

  // A sum or a product of what is not negative: where it does not fit 64 bits, no array has such an
  // element.
  bool is_natural(Expr* e) {
    if (e->type->is_int() && e->type->bits == 64) {
      const auto given = given_.values.find(loaded(e));
      if (given != given_.values.end() && is_natural(given->second)) return true;
      auto* b = ir::try_as<ir::Binary>(e);
      if (b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kMul) && is_natural(b->left) &&
          is_natural(b->right))
        return true;
    }
    Observer nobody;
    return e->type->is_int() && evaluate(e, known_, nobody).lo >= 0;
  }

  // Is the value the same as long as the loops around do not go on?
  bool stays(const Expr* e) {
    if (constant(e)) return true;
    if (const Local* local = loaded(e))
      return !sets_[local] && (local->is_param || indices_.contains(local));
    const auto* b = ir::try_as<ir::Binary>(e);
    return b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kMul) && stays(b->left) &&
           stays(b->right);
  }

  void make_plain(Expr* e) {
    const auto given = given_.values.find(loaded(e));
    if (given != given_.values.end() && given_.fresh.contains(given->first))
      return make_plain(given->second);
    auto* b = ir::try_as<ir::Binary>(e);
    if (!b || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kMul)) return;
    make_plain(b->left);
    make_plain(b->right);
    b->plain = true;
  }

  void whole(const Expr* e, const Interval& value) override {
    if (!recording_ || !fits_) return;
    if (const auto [at, is_new] = fits_->small.try_emplace(e, value); !is_new)
      at->second = pyk2cu::emit::join(at->second, value);
    if (!value.within(full(types::int32()))) too_wide_.insert(e);
    if (too_wide_.contains(e))
      fits_->exprs.erase(e);
    else
      fits_->exprs.insert(e);
  }

  Interval value(Expr* e) {
    const Interval is = evaluate(e, known_, *this);
    if (ir::has_effect(e)) known_.forget_memory();
    return is;
  }

  // ---- statements ------------------------------------------------------------------------------
  void block(Block& b) {
    ir::LocalSet outer = std::exchange(given_.fresh, {});
    for (Stmt* s : b) {
      if (!given_.fresh.empty() && chooses(s)) {
        ir::LocalSet kept = std::exchange(given_.fresh, {});
        stmt(s);
        if (!leaves(s)) given_.fresh = std::move(kept);
      } else {
        stmt(s);
      }
    }
    given_.fresh = std::move(outer);
  }

  void stmt(Stmt* s) {
    if (!recording_) --walks_left_;
    switch (s->kind) {
      case StmtKind::kAssign:
        return assign(*ir::as<ir::Assign>(s));
      case StmtKind::kIf:
        return branch(*ir::as<ir::If>(s));
      case StmtKind::kFor:
        return counted(*ir::as<ir::For>(s));
      case StmtKind::kWhile: {
        auto& loop = *ir::as<ir::While>(s);
        repeat(*loop.body, [&] {
          value(loop.condition);
          assume(loop.condition, true, known_);
        });
        if (!ir::has_exit(*loop.body, s)) assume(loop.condition, false, known_);
        return;
      }
      default:
        other(s);
    }
  }

  // Operands are evaluated; what is assigned otherwise than by an Assign is not known any more.
  void other(Stmt* s) {
    ir::for_each_expr(s, [&](Expr* e) { value(e); });
    const auto indices = [&](ir::Place& place) {
      int axis = 0;
      if (!place.local)
        for (ir::Index& i : place.indices) index(i, value(i.value), place.array, axis++, known_);
    };
    if (auto* store = ir::try_as<ir::Store>(s)) indices(store->place);
    if (auto* update = ir::try_as<ir::Update>(s)) indices(update->place);
    ir::for_each_block(s, [&](Block& b) { repeat(b, [] {}); });
    if (!ir::written_by(s).empty()) known_.forget_memory();
    ir::for_each_local(s, [&](const Local* local, ir::Access access) {
      if (access != ir::Access::kRead) known_.forget(local);
    });
    if (ir::is_jump(s)) known_.reachable = false;
  }

  void assign(ir::Assign& a) {
    const Interval interval = value(a.value);
    if (recording_ && fits_ && a.local->type->is_int())
      if (!interval.within(full(types::int32()))) fits_->too_wide.insert(a.local);
    const auto extent = extent_of(a.value, known_);
    const std::vector<Extent> upper =
        a.local->type->is_int() ? upper_bounds(a.value, known_) : std::vector<Extent>();
    if (a.local->type == types::int64() && sets_[a.local] == 1 && stays(a.value))
      given_.values[a.local] = a.value, given_.fresh.insert(a.local);
    known_.forget(a.local);
    if (!a.local->type->is_int() && !a.local->type->is_float()) return;
    known_.set(a.local, interval);
    bound(a.local, upper, 0, known_);
    // An extent is that of one array for good.
    if (extent && (extent->array->is_param ? sets_[extent->array] == 0 : sets_[extent->array] == 1))
      known_.set_extent(a.local, *extent);
  }

  void branch(ir::If& s) {
    value(s.condition);
    if (recording_ && is_check(&s)) {
      s.condition = possible(s.condition);
      if (truth(s.condition, known_) == false) needless_.insert(&s);
    } else if (recording_ && only_checks(s) && truth(s.condition, known_) == false) {
      needless_.insert(&s);
    }
    const Known::Mark mark = known_.mark();
    assume(s.condition, true, known_);
    block(*s.body);
    const Known::Changes yes = known_.take(mark);
    assume(s.condition, false, known_);
    block(*s.orelse);
    known_.join(mark, yes);
  }

  // if n < 0: if x == 0: raise …
  static bool only_checks(const ir::If& s) {
    return s.orelse->empty() && !ir::has_effect(s.condition) &&
           std::ranges::all_of(*s.body, is_check);
  }

  // a or b: what of it may hold.
  Expr* possible(Expr* condition) {
    auto* either = ir::try_as<ir::Logical>(condition);
    if (!either || either->is_and) return condition;
    either->left = possible(either->left);
    if (truth(either->left, known_) == false) return possible(either->right);
    return truth(either->right, known_) == false ? either->left : condition;
  }

  void counted(ir::For& s) {
    const Interval lo = value(s.lo), hi = value(s.hi), step = value(s.step);
    Interval index = join(lo, hi);
    if (step.lo > 0) index = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    if (step.hi < 0) index = {std::min(lo.hi, hi.lo + 1), lo.hi};
    if (step.lo > 0 && step.hi <= kSmallStep) index.hi = std::min(index.hi, lo.hi + kMaxWay);
    if (step.hi < 0 && step.lo >= -kSmallStep) index.lo = std::max(index.lo, lo.lo - kMaxWay);
    if (recording_) s.form = form_of(s, hi, step);
    // Inside an upward loop the end is beyond the beginning.
    const Changes& assigned = facts_of(*s.body).changes;
    const Local* end = loaded(s.hi);
    std::vector<Extent> last = upper_bounds(step.lo > 0 ? s.hi : s.lo, known_);
    if (step.lo <= 0 && step.hi >= 0) last.clear();
    std::erase_if(last, [&](const Extent& e) { return assigned.contains(e.array); });
    const bool above = end && step.lo > 0 && end->type->is_int() && !assigned.contains(end);
    const Sum sum = sum_of(s.hi);  // len(a) - 1
    const auto* query = sum.base ? ir::try_as<ir::Query>(sum.base) : nullptr;
    const Local* array = query ? loaded(query->operand) : nullptr;
    const bool extends = array && step.lo > 0 && !assigned.contains(array);
    repeat(*s.body, [&] {
      known_.forget(s.index);
      known_.set(s.index, index);
      bound(s.index, last, step.lo > 0 ? -1 : 0, known_);
      if (above) at_least(end, lo.lo + 1);
      if (extends) at_least(known_.make_stand_in(query), lo.lo + 1 - sum.offset);
    });
  }

  void at_least(const Local* local, Wide least) {
    if (!local) return;
    Interval at = known_.of(local);
    at.lo = std::max(at.lo, least);
    if (at.lo <= at.hi) known_.set(local, at);
  }

  static ir::LoopForm form_of(const ir::For& s, const Interval& hi, const Interval& step) {
    if (step.lo <= 0 && step.hi >= 0) return ir::LoopForm::kRange;
    const Interval all = full(s.index->type);
    const bool up = step.lo > 0;
    const bool over =
        up ? step.hi > 1 && hi.hi + step.hi > all.hi : step.lo < -1 && hi.lo + step.lo < all.lo;
    if (over) return ir::LoopForm::kRange;
    return up ? ir::LoopForm::kUp : ir::LoopForm::kDown;
  }

  // ---- loops -----------------------------------------------------------------------------------
  using Values = std::vector<std::pair<const Local*, Interval>>;

  // The body any number of times; known_ becomes what holds behind the loop.
  template <class Turn>
  void repeat(Block& body, Turn turn) {
    const BodyFacts& facts = facts_of(body);
    const Changes& changes = facts.changes;
    Values before;  // where something was known
    for (const auto& [local, change] : changes)
      if (known_.has_value(local)) before.push_back({local, known_.of(local)});
    const Values widest = widen(changes);
    for (const auto& [local, change] : changes)
      given_.values.erase(local), given_.fresh.erase(local);
    if (facts.writes) known_.forget_memory();
    known_.reachable = true;
    ++depth_;
    if (depth_ <= (recording_ ? kMaxRefinedDepth : kMaxGuessedDepth) && walks_left_ > 0) {
      const bool outer = std::exchange(recording_, false);
      if (!facts.continues) {
        refine(body, before, turn);
        if (facts.is_innermost) settle(body, before, turn);
      }
      recording_ = outer;
    }
    const Known::Mark mark = known_.mark();
    turn();
    block(body);
    known_.undo(mark);
    --depth_;
    known_.reachable = true;
    if (!facts.breaks) return;
    for (const auto& [local, change] : changes) known_.forget(local);
    for (const auto& [local, at] : widest) known_.set(local, at);
  }

  static void note_change(const ir::Assign& a, Changes& changes) {
    Change& change = changes[a.local];
    if (const ir::Const* c = constant(a.value); c && c->type->is_int()) {
      Observer nobody;
      Known nothing;
      const Interval at = evaluate(a.value, nothing, nobody);
      change.set = change.has_set ? join(change.set, at) : at;
      change.has_set = true;
      return;
    }
    const auto* b = a.local->type->is_int() ? ir::try_as<ir::Binary>(a.value) : nullptr;
    const ir::Const* by = b ? constant(b->right) : nullptr;
    if (!by || loaded(b->left) != a.local || by->value.integer > kSmallStep ||
        by->value.integer < -kSmallStep || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub)) {
      change.counts = false;
      return;
    }
    const bool up = (by->value.integer > 0) == (b->op == BinaryOp::kAdd);
    (up ? change.up : change.down) = true;
  }

  const BodyFacts& facts_of(Block& body) {
    const auto [it, is_new] = facts_.try_emplace(&body);
    BodyFacts& facts = it->second;
    if (!is_new) return facts;
    ir::for_each_stmt(body, [&](Stmt* s) {
      facts.breaks |= s->kind == StmtKind::kBreak;
      facts.continues |= s->kind == StmtKind::kContinue;
      facts.is_innermost &= !ir::is_loop(s);
      facts.writes |= !ir::written_by(s).empty();
      ir::for_each_expr(s, [&](const Expr* e) { facts.writes |= ir::has_effect(e); });
      if (const auto* a = ir::try_as<ir::Assign>(s)) return note_change(*a, facts.changes);
      ir::for_each_local(s, [&](const Local* local, ir::Access access) {
        if (access != ir::Access::kRead) facts.changes[local].counts = false;
      });
    });
    return facts;
  }

  // The head of the loop for any number of turns: what counters can reach.
  Values widen(const Changes& changes) {
    Values counters;
    for (const auto& [local, change] : changes) {
      Interval at = known_.of(local);
      known_.forget(local);
      if (change.has_set) at = join(at, change.set);
      const bool bounded = at.lo >= -kMaxCount / 2 && at.hi <= kMaxCount / 2;
      if (!change.counts || !local->type->is_int() || local->type->bits != 64 || !bounded) continue;
      if (change.down) at.lo = -kMaxCount;
      if (change.up) at.hi = kMaxCount;
      at.nonzero = false;
      if (at.within(full(local->type))) counters.push_back({local, at});
    }
    for (const auto& [local, at] : counters) known_.set(local, at);
    return counters;
  }

  // What the body's end knows of these locals when it starts from the head; nothing where it does
  // not come to its end.
  template <class Turn>
  std::optional<std::vector<std::optional<Interval>>> ends_of(Block& body, const Values& locals,
                                                              Turn turn) {
    const Known::Mark mark = known_.mark();
    turn();
    block(body);
    std::optional<std::vector<std::optional<Interval>>> ends;
    if (known_.reachable) {
      ends.emplace();
      for (const auto& [local, at] : locals)
        ends->push_back(known_.has_value(local) ? std::optional(known_.of(local)) : std::nullopt);
    }
    known_.undo(mark);
    return ends;
  }

  // What holds before the loop and at the end of its body holds at its head.
  template <class Turn>
  void refine(Block& body, const Values& before, Turn turn) {
    if (before.empty()) return;
    Values open;  // no counters: those are known
    for (const auto& [local, at] : before)
      if (!known_.has_value(local)) open.push_back({local, at});
    if (open.empty()) return;
    const auto ends = ends_of(body, open, turn);
    for (size_t k = 0; k < open.size(); ++k) {
      const auto& [local, at] = open[k];
      if (!ends)
        known_.set(local, at);
      else if ((*ends)[k])
        known_.set(local, join(at, *(*ends)[k]));
    }
  }

  // A guess that the body keeps true is true: what holds before the loop, widened to round bounds
  // where the body's end says more. (lo + hi) // 2 of a binary search is found in this way.
  template <class Turn>
  void settle(Block& body, const Values& before, Turn turn) {
    Values guess;
    for (const auto& [local, at] : before)
      if (local->type->is_int()) guess.push_back({local, at});
    const Known::Mark mark = known_.mark();
    for (int round = 0; !guess.empty() && round < kMaxRounds; ++round) {
      for (const auto& [local, at] : guess) known_.set(local, at);
      const auto ends = ends_of(body, guess, turn);
      bool same = true;
      for (size_t k = 0; k < guess.size(); ++k) {
        auto& [local, at] = guess[k];
        const Interval next = !ends ? at : (*ends)[k].value_or(full(local->type));
        if (next.within(at) && (!at.nonzero || next.excludes_zero())) continue;
        same = false;
        const Interval wide = rounded(join(at, next), local->type);
        if (next.lo < at.lo) at.lo = wide.lo;
        if (next.hi > at.hi) at.hi = wide.hi;
        at.nonzero = at.nonzero && next.excludes_zero();
      }
      if (same) return;  // the guesses are what is known now
    }
    known_.undo(mark);
  }

  static Interval rounded(Interval at, const types::Type* type) {
    const Interval all = full(type);
    for (const Wide bound : {Wide{0}, kMaxExtent, kMaxWay, kMaxCount})
      if (at.hi <= bound) {
        at.hi = bound;
        break;
      } else if (bound == kMaxCount) {
        at.hi = all.hi;
      }
    for (const Wide bound : {Wide{0}, -Wide{1}, -kMaxExtent, -kMaxWay, -kMaxCount})
      if (at.lo >= bound) {
        at.lo = bound;
        break;
      } else if (bound == -kMaxCount) {
        at.lo = all.lo;
      }
    return {std::max(at.lo, all.lo), std::min(at.hi, all.hi)};
  }

  void drop(Block& b) {
    if (needless_.empty()) return;
    std::erase_if(b, [&](Stmt* s) { return needless_.contains(s); });
    for (Stmt* s : b) ir::for_each_block(s, [&](Block& inner) { drop(inner); });
  }

  Known known_{};
  std::unordered_map<const Local*, int> sets_{};
  Given given_{};
  std::unordered_set<const Local*> indices_{};  // of loops
  std::unordered_map<const Block*, BodyFacts> facts_{};
  std::unordered_set<const Stmt*> needless_{};
  Fits* fits_;
  std::unordered_set<const Expr*> too_wide_{};  // one time or another
  int64_t walks_left_ = 0;
  bool recording_ = true;
  int depth_ = 0;
};

}  // namespace

void ranges(ir::Program& program) {
  for (ir::Function* f : program.functions) Ranges(nullptr).run(*f);
}

Fits fits_of(ir::Function& f) {
  Fits fits;
  Ranges(&fits).run(f);
  std::erase_if(fits.small, [](const auto& one) {
    return !one.second.within(full(types::integer(16, true))) &&
           !one.second.within(full(types::integer(16, false)));
  });
  return fits;
}

}  // namespace pyk2cu::emit
