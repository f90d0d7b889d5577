// What integers can be: proves indices non-negative, arithmetic free of overflow, checks needless.
//
//   for i in range(1, n): a[i - 1]     ->  Index.wrap cleared: i - 1 >= 0
//   i + 1 with i < n                   ->  Facts::plain: prints as i + 1, not pyk::add(i, 1)
//   if n == 0: raise …                 ->  dropped where n > 0 is known
//
// One walk in program order with Known as state. A loop's head is what holds before it, widened by
// what the body assigns: a variable that only moves by small constants stays within 2**62 (no
// program counts further); all others lose what was known, then win back what the body's end knows.
// Tested by tests/golden/ranges.
#include <algorithm>

#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kSmallStep = 1 << 20;
constexpr Wide kMaxWay = Wide{1} << 60;  // no loop gets further by small steps
constexpr int kMaxRefinedDepth = 5;
constexpr int kMaxRounds = 5;  // of guesses about a loop

// How a loop's body changes a variable.
struct Change {
  bool counts = true;  // only by small constants, or set to constants
  bool up = false, down = false;
  Interval set{};
  bool has_set = false;
};

class Ranges : Observer {
 public:
  explicit Ranges(Facts& facts) : facts_(facts) {}

  void run(ir::Function& f) {
    for_each_stmt(f.body, [&](Stmt* s) {
      if (s->kind == StmtKind::kAssign) ++sets_[ir::as<ir::Assign>(s)->local];
    });
    Known known;
    block(f.body, known);
    for (const auto& [e, plain] : plain_)
      if (plain) facts_.plain.insert(e);
    for (const auto& [index, needless] : unwrapped_)
      if (needless) index->wrap = false;
    drop(f.body);
  }

 private:
  // ---- what expressions tell ------------------------------------------------------------------
  void arithmetic(const Expr* e, bool plain) override {
    if (!recording_) return;
    const auto [it, is_new] = plain_.try_emplace(e, plain);
    if (!is_new) it->second = it->second && plain;
  }

  void index(ir::Index& i, const Interval& value, const Expr* array, int axis,
             const Known& known) override {
    if (!recording_) return;
    bool needless = value.lo >= 0;
    // n - 1 of an extent n is negative for an empty array only, where any index is out of range.
    if (const Local* local = loaded(array); local && !needless) {
      const auto extent = extent_of(i.value, known);
      needless = extent && extent->array == local && extent->axis == axis && extent->offset == -1;
    }
    const auto [it, is_new] = unwrapped_.try_emplace(&i, needless);
    if (!is_new) it->second = it->second && needless;
  }

  Interval value(Expr* e, const Known& known) { return evaluate(e, known, *this); }

  // ---- statements -----------------------------------------------------------------------------
  void block(Block& b, Known& known) {
    for (Stmt* s : b) stmt(s, known);
  }

  void stmt(Stmt* s, Known& known) {
    switch (s->kind) {
      case StmtKind::kAssign:
        return assign(*ir::as<ir::Assign>(s), known);
      case StmtKind::kStore: {
        auto& store = *ir::as<ir::Store>(s);
        value(store.value, known);
        int axis = 0;
        for (ir::Index& i : *store.indices)
          index(i, value(i.value, known), store.array, axis++, known);
        return;
      }
      case StmtKind::kIf:
        return branch(*ir::as<ir::If>(s), known);
      case StmtKind::kFor:
        return counted(*ir::as<ir::For>(s), known);
      case StmtKind::kWhile: {
        auto& loop = *ir::as<ir::While>(s);
        const auto turn = [&](Known& inside) {
          value(loop.condition, inside);
          assume(loop.condition, true, inside);
        };
        repeat(*loop.body, known, turn);
        if (!has_exit(*loop.body, s)) assume(loop.condition, false, known);
        return;
      }
      case StmtKind::kReturn:
      case StmtKind::kRaise:
      case StmtKind::kBreak:
      case StmtKind::kContinue:
        for_each_expr(s, [&](Expr*& e) { value(e, known); });
        known.reachable = false;
        return;
      case StmtKind::kEval:
      case StmtKind::kPrint:
        for_each_expr(s, [&](Expr*& e) { value(e, known); });
        return;
    }
  }

  void assign(ir::Assign& a, Known& known) {
    const Interval interval = value(a.value, known);
    auto extent = extent_of(a.value, known);
    const std::vector<Extent> upper =
        a.local->type->is_int() ? upper_bounds(a.value, known) : std::vector<Extent>();
    known.forget(a.local);
    if (!a.local->type->is_int() && !a.local->type->is_float()) return;
    known.values[a.local] = interval;
    bound(a.local, upper, 0, known);
    // An extent is that of one array for good.
    if (extent && (extent->array->is_param ? sets_[extent->array] == 0 : sets_[extent->array] == 1))
      known.extents[a.local] = *extent;
  }

  void branch(ir::If& s, Known& known) {
    value(s.condition, known);
    const auto outcome = truth(s.condition, known);
    if (recording_) {
      const bool check = s.body->size() == 1 && (*s.body)[0]->kind == StmtKind::kRaise &&
                         (!s.orelse || s.orelse->empty());
      const bool never = check && outcome == false;
      const auto [it, is_new] = needless_.try_emplace(&s, never);
      if (!is_new) it->second = it->second && never;
    }
    Known yes = known, no = known;
    assume(s.condition, true, yes);
    assume(s.condition, false, no);
    block(*s.body, yes);
    if (s.orelse) block(*s.orelse, no);
    const bool dead = known.reachable && !yes.reachable && !no.reachable;
    known = join(yes, no);
    if (dead) known.reachable = false;
  }

  void counted(ir::For& s, Known& known) {
    const Interval lo = value(s.lo, known), hi = value(s.hi, known), step = value(s.step, known);
    Interval index = join(lo, hi);
    if (step.lo > 0) index = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    if (step.hi < 0) index = {std::min(lo.hi, hi.lo + 1), lo.hi};
    if (step.lo > 0 && step.hi <= kSmallStep) index.hi = std::min(index.hi, lo.hi + kMaxWay);
    if (step.hi < 0 && step.lo >= -kSmallStep) index.lo = std::max(index.lo, lo.lo - kMaxWay);
    if (recording_ && !constant(s.step) && (step.lo > 0 || step.hi < 0))
      facts_.loops[&s].step_sign = step.lo > 0 ? 1 : -1;
    if (recording_ && (step.hi > 1 || step.lo < -1)) {
      const Interval all = full(s.index->type);
      const bool over = step.hi > 1 ? hi.hi + step.hi > all.hi : hi.lo + step.lo < all.lo;
      if (over) facts_.loops[&s].steps_over = true;
    }
    // Inside an upward loop the end is beyond the beginning.
    const Local* end = loaded(s.hi);
    std::vector<Extent> last = upper_bounds(step.lo > 0 ? s.hi : s.lo, known);
    if (step.lo <= 0 && step.hi >= 0) last.clear();
    std::erase_if(last, [&](const Extent& e) { return assigns(*s.body, e.array); });
    const bool above = end && step.lo > 0 && end->type->is_int() && !assigns(*s.body, end);
    repeat(*s.body, known, [&](Known& inside) {
      inside.forget(s.index);
      inside.values[s.index] = index;
      bound(s.index, last, step.lo > 0 ? -1 : 0, inside);
      if (!above) return;
      Interval at = inside.of(end);
      at.lo = std::max(at.lo, lo.lo + 1);
      if (at.lo <= at.hi) inside.values[end] = at;
    });
  }

  // The body any number of times; `known` becomes what holds behind the loop.
  template <class Turn>
  void repeat(Block& body, Known& known, Turn turn) {
    Known head = known;
    head.reachable = true;
    widen(body, head);
    const Known widest = head;
    ++depth_;
    if (depth_ <= kMaxRefinedDepth) {
      const bool outer = std::exchange(recording_, false);
      Known end = head;
      turn(end);
      block(body, end);
      refine(body, known, end, head);
      if (is_innermost(body)) settle(body, known, head, turn);
      recording_ = outer;
    }
    Known inside = head;
    turn(inside);
    block(body, inside);
    --depth_;
    known = has_jump(body, StmtKind::kBreak) ? widest : head;
  }

  void note_change(ir::Assign& a, std::unordered_map<const Local*, Change>& changes) {
    Change& change = changes[a.local];
    if (const ir::Const* c = constant(a.value); c && c->type->is_int()) {
      Observer nobody;
      const Interval at = evaluate(a.value, Known{}, nobody);
      change.set = change.has_set ? join(change.set, at) : at;
      change.has_set = true;
      return;
    }
    const bool moves = a.value->kind == ExprKind::kBinary && a.local->type->is_int();
    const auto* b = moves ? ir::as<ir::Binary>(a.value) : nullptr;
    const ir::Const* by = b ? constant(b->right) : nullptr;
    if (!by || loaded(b->left) != a.local || by->value.integer > kSmallStep ||
        by->value.integer < -kSmallStep || (b->op != BinaryOp::kAdd && b->op != BinaryOp::kSub)) {
      change.counts = false;
      return;
    }
    const bool up = (by->value.integer > 0) == (b->op == BinaryOp::kAdd);
    (up ? change.up : change.down) = true;
  }

  void widen(Block& body, Known& head) {
    std::unordered_map<const Local*, Change> changes;
    for_each_stmt(body, [&](Stmt* s) {
      if (s->kind == StmtKind::kAssign) note_change(*ir::as<ir::Assign>(s), changes);
      if (s->kind == StmtKind::kFor) changes[ir::as<ir::For>(s)->index].counts = false;
    });
    for (const auto& [local, change] : changes) {
      Interval at = head.of(local);
      head.forget(local);
      if (change.has_set) at = join(at, change.set);
      const bool bounded = at.lo >= -kMaxCount / 2 && at.hi <= kMaxCount / 2;
      if (!change.counts || !local->type->is_int() || local->type->bits != 64 || !bounded) continue;
      if (change.down) at.lo = -kMaxCount;
      if (change.up) at.hi = kMaxCount;
      at.nonzero = false;
      if (at.within(full(local->type))) head.values[local] = at, counters_.push_back(local);
    }
  }

  // What holds before the loop and at the end of its body holds at its head.
  void refine(Block& body, const Known& before, const Known& end, Known& head) {
    if (has_jump(body, StmtKind::kContinue)) return;
    std::unordered_map<const Local*, bool> assigned;
    for_each_stmt(body, [&](Stmt* s) {
      if (s->kind == StmtKind::kAssign) assigned[ir::as<ir::Assign>(s)->local] = true;
    });
    for (const auto& [local, unused] : assigned) {
      const bool counter = std::find(counters_.begin(), counters_.end(), local) != counters_.end();
      if (counter || !before.values.count(local)) continue;
      if (!end.reachable)
        head.values[local] = before.of(local);
      else if (end.values.count(local))
        head.values[local] = join(before.of(local), end.of(local));
    }
  }

  // A guess that the body keeps true is true: what holds before the loop, widened to round bounds
  // where the body's end says more. (lo + hi) // 2 of a binary search is found in this way.
  template <class Turn>
  void settle(Block& body, const Known& before, Known& head, Turn turn) {
    if (has_jump(body, StmtKind::kContinue)) return;
    Known guess = head;
    std::vector<const Local*> guessed;
    for_each_stmt(body, [&](Stmt* s) {
      const Local* local = s->kind == StmtKind::kAssign ? ir::as<ir::Assign>(s)->local : nullptr;
      if (!local || !local->type->is_int() || !before.values.count(local)) return;
      if (std::find(guessed.begin(), guessed.end(), local) != guessed.end()) return;
      guessed.push_back(local);
      guess.values[local] = before.of(local);
    });
    for (int round = 0; !guessed.empty() && round < kMaxRounds; ++round) {
      Known end = guess;
      turn(end);
      block(body, end);
      bool same = true;
      for (const Local* local : guessed) {
        const Interval at = guess.of(local), next = end.reachable ? end.of(local) : at;
        if (next.within(at) && (!at.nonzero || next.excludes_zero())) continue;
        same = false;
        guess.values[local] = rounded(join(at, next), local->type);
      }
      if (same) {
        head = guess;
        return;
      }
    }
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

  static bool is_innermost(Block& body) {
    return !has_jump(body, StmtKind::kFor) && !has_jump(body, StmtKind::kWhile);
  }

  static bool has_jump(Block& body, StmtKind kind) {
    bool found = false;
    for_each_stmt(body, [&](Stmt* s) { found = found || s->kind == kind; });
    return found;
  }

  void drop(Block& b) {
    std::erase_if(b, [&](Stmt* s) {
      const auto it = needless_.find(s);
      return it != needless_.end() && it->second;
    });
    for (Stmt* s : b) for_each_block(s, [&](Block& inner) { drop(inner); });
  }

  Facts& facts_;
  std::unordered_map<const Local*, int> sets_{};
  std::unordered_map<const Expr*, bool> plain_{};
  std::unordered_map<ir::Index*, bool> unwrapped_{};
  std::unordered_map<const Stmt*, bool> needless_{};
  std::vector<const Local*> counters_{};
  bool recording_ = true;
  int depth_ = 0;
};

}  // namespace

void ranges(ir::Program&, ir::Function& f, Facts& facts) { Ranges(facts).run(f); }

}  // namespace pyk2cu::emit
