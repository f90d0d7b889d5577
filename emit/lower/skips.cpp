// Turns that do nothing, many at once.
//
//   for i in range(n):                for first in range(0, n, 32):
//     if a[i] > a[best]:                found = n - first < 32
//       best = i               ->       if not found: for i in range(first, first + 32):
//                                         found |= a[i] > a[best]                     (in lanes)
//                                       if found: for i in range(first, min(first + 32, n)): …
//
// What a turn asks hangs on elements and on what only turns that do something change; so of turns
// of which none does anything all may be asked at once, ahead of all of them, and then nothing is
// left to do. Where one does, they take their turns, and ask again.
//
// A turn that is asked ahead may have been none, behind one that leaves the loop; or it may not
// have got as far as to load an element. Such elements a block is asked for only where it has them.
//
// In:   functions behind gangs.  Out: serial loops, changed, whose turns do something only under
// conditions that vectors can compute, and that neither lanes nor C++ compilers make vectors of.
// Tested by tests/golden/passes/skips.py and tests/run/test_skips.py.
#include <algorithm>

#include "emit/lower/flow.h"
#include "emit/lower/inside.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lower.h"
#include "emit/lower/reductions.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::CompareOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kBlock = 32;  // turns: a few vectors of any type
constexpr int kMuch = 48;       // operations of a question that may be asked in vain
constexpr int64_t kLong = 256;  // turns that nobody asks ahead
constexpr int64_t kBusy = 4;    // blocks that have done something, one behind the other

bool leaves(const Stmt* s) {
  return s->kind == StmtKind::kBreak || s->kind == StmtKind::kReturn || s->kind == StmtKind::kRaise;
}

// Of which nothing but its value is noticed, wherever it is computed; elements aside.
bool is_quiet(const Expr* e) {
  bool quiet = !ir::has_effect(e);
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    const auto* call = ir::try_as<ir::Call>(part);
    const bool divides =
        b && part->type->is_int() && (b->op == BinaryOp::kFloorDiv || b->op == BinaryOp::kMod);
    const ir::Const* by = divides ? ir::constant(b->right) : nullptr;
    quiet = quiet && !(divides && (!by || by->value.integer == 0 || by->value.integer == -1)) &&
            !(call && !call->shared.empty());
  });
  return quiet;
}

bool calls(const Expr* e) {
  bool found = false;
  ir::for_each_subexpr(e,
                       [&](const Expr* part) { found = found || part->kind == ExprKind::kCall; });
  return found;
}

// What was known of numbers only where they stood is forgotten; subscripts aside.
void loosen(Expr* e) {
  if (e->kind == ExprKind::kElement) return;
  if (auto* b = ir::try_as<ir::Binary>(e)) b->natural = b->plain = false;
  if (auto* u = ir::try_as<ir::Unary>(e)) u->plain = false;
  ir::for_each_operand(e, [&](Expr* o) { loosen(o); });
}

// What the turns of a loop ask before they do anything, and the loop that asks it.
class Question {
 public:
  Question(ir::Program& program, ir::Function& f, ir::For& loop, const ir::EffectAnalysis& effects,
           const ir::LocalSet& read_behind, Inside& inside)
      : program_(program),
        f_(f),
        loop_(loop),
        effects_(effects),
        read_behind_(read_behind),
        inside_(inside),
        flow_(flow_of(*loop.body)),
        changed_(ir::assigned_in(*loop.body)),
        leaves_(ir::any_stmt(*loop.body, leaves) || effects.of(*loop.body).raises),
        build_{program, loop.span},
        first_(build_.temp("first", types::int64())),
        found_(build_.temp("found", types::int64())),
        copier_(program) {}

  // Is it one that vectors can ask?
  bool make() {
    for (const Stmt* s : *loop_.body)
      if (!add(s)) return false;
    if (updates_.empty() || operations_ > kMuch || !is_of_data_) return false;
    found_->type = type_of_found();
    for (ir::Update* update : updates_) {
      update->value =
          build_.expr<ir::Select>(found_->type, update->value, build_.integer(-1, found_->type),
                                  build_.integer(0, found_->type));
    }
    ir::For* asks = in_lanes(loop_.index, &body_);
    return fills_lanes(*asks, effects_) && !differs_in_lanes(body_);
  }

  // What stands where the loop stood.
  Block blocks() {
    Local* last = temp("last", types::int64());
    Local* busy = temp("busy", types::int64());
    for (Local* local : {first_, found_}) f_.locals.push_back(local);
    Block all{build_.assign(first_, loop_.lo), build_.assign(busy, build_.integer(0))};
    Expr* end = loop_.hi;
    const Expr* base = sum_of(end).base;
    const bool is_short = !base || ir::loaded(base) || base->kind == ExprKind::kQuery;
    if (!is_short || !Iterations(loop_, effects_).is_known(end)) {
      Local* once = temp("end", types::int64());
      all.push_back(build_.assign(once, end));
      end = build_.load(once);
    }
    Expr* is_left = build_.compare(CompareOp::kLt, build_.load(first_), end);
    Block* body = build_.block(
        {end_of_block(last, busy, ir::Cloner(program_).expr(end)),
         build_.assign(found_, in_turns(last)), build_.if_(is_found(CompareOp::kEq), question()),
         build_.if_(is_found(CompareOp::kNe), turns(busy), nothing(last, busy)),
         build_.assign(first_, build_.load(last))});
    Stmt* over = build_.stmt<ir::While>(is_left, body);
    ir::for_each_expr_in(*loop_.body, [&](Expr* e) {  // as long as that is known
      if (auto* element = ir::try_as<ir::Element>(e); element && inside_(*element))
        element->is_safe = true;
    });
    loop_.lo = build_.load(first_);
    loop_.hi = build_.load(last);
    ir::for_each_stmt(*loop_.body, [&](Stmt* s) {
      auto* jump = ir::try_as<ir::Break>(s);
      if (jump && jump->loop == &loop_) jump->loop = over;
    });
    all.push_back(over);
    return all;
  }

 private:
  // ---- statements ------------------------------------------------------------------------------
  bool add(const Stmt* s) {
    if (is_own(s, true)) {
      const auto* a = ir::try_as<ir::Assign>(s);
      const bool names = a && ir::loaded(a->value) == loop_.index && is_assigned_once(a->local);
      body_.push_back(names ? build_.assign(a->local, build_.load(loop_.index)) : copier_.stmt(s));
      if (names) copier_.map(a->local, loop_.index);
      return names || prepare(body_.back(), true);
    }
    const auto* branch = ir::try_as<ir::If>(s);
    Expr* condition = branch ? does(*branch, true) : nullptr;
    if (!condition) return false;
    const ir::Builder build{program_, s->span};
    updates_.push_back(
        build.stmt<ir::Update>(ir::Place{.local = found_}, BinaryOp::kOr, condition));
    body_.push_back(updates_.back());
    return true;
  }

  bool is_assigned_once(const Local* local) const {
    int times = 0;
    ir::for_each_stmt(std::as_const(*loop_.body), [&](const Stmt* s) {
      ir::for_each_local_of(s, [&](const Local* other, ir::Access access) {
        times += other == local && access != ir::Access::kRead;
      });
    });
    return times == 1;
  }

  // Gives the turn's own variables values, nothing else; under a condition such that nobody sees
  // when the loop is over.
  bool is_own(const Stmt* s, bool always) const {
    if (const auto* a = ir::try_as<ir::Assign>(s))
      return a->local->type->is_real() && is_quiet(a->value) && !flow_.exposes(a->local) &&
             (always || !read_behind_.contains(a->local));
    const auto* branch = ir::try_as<ir::If>(s);
    const auto inside = [&](const Stmt* inner) { return is_own(inner, false); };
    return branch && is_quiet(branch->condition) && std::ranges::all_of(*branch->body, inside) &&
           std::ranges::all_of(*branch->orelse, inside);
  }

  // When the branch does anything, or more often than that; null: that cannot be asked. `always`:
  // every turn gets there.
  Expr* does(const ir::If& s, bool always) {
    Expr* condition = whole(s.condition, always);
    if (!condition) return nullptr;
    if (is_one(*s.body))
      condition = joined(true, condition, does(*ir::as<ir::If>(s.body->front()), false));
    if (s.orelse->empty()) return condition;
    Expr* other = is_one(*s.orelse) ? does(*ir::as<ir::If>(s.orelse->front()), false) : nullptr;
    return joined(false, condition, other);
  }
  static bool is_one(const Block& b) { return b.size() == 1 && b.front()->kind == StmtKind::kIf; }

  // ---- conditions ------------------------------------------------------------------------------
  // True wherever the condition is, and all of it asked; null: that cannot be.
  Expr* whole(const Expr* e, bool always) {
    const auto* one = ir::try_as<ir::Logical>(e);
    const auto* both = ir::try_as<ir::Binary>(e);
    if (one) {
      Expr* left = whole(one->left, always);
      return joined(one->is_and, left, whole(one->right, false));
    }
    if (both && e->type->is_bool() && (both->op == BinaryOp::kAnd || both->op == BinaryOp::kOr)) {
      Expr* left = whole(both->left, always);
      return joined(both->op == BinaryOp::kAnd, left, whole(both->right, always));
    }
    if (!is_quiet(e) || (calls(e) && (!always || leaves_))) return nullptr;
    Expr* copy = copier_.expr(e);
    if (!prepare(copy, always)) return nullptr;
    if (!always || leaves_) loosen(copy);
    return copy;
  }
  Expr* joined(bool is_and, Expr* left, Expr* right) const {
    if (left && right) return build_.plain(is_and ? BinaryOp::kAnd : BinaryOp::kOr, left, right);
    if (!is_and) return nullptr;
    return left ? left : right;
  }

  // ---- elements --------------------------------------------------------------------------------
  // May the turns of a block be asked it ahead? `always`: every turn gets there.
  bool prepare(Stmt* s, bool always) {
    bool fits = true;
    ir::for_each_expr(s, [&](Expr*& e) {
      fits = fits && prepare(e, always);
      if (leaves_) loosen(e);
    });
    ir::for_each_block(s, [&](Block& inner) {
      for (Stmt* one : inner) fits = fits && prepare(one, false);
    });
    return fits;
  }

  bool prepare(Expr*& e, bool always) {
    ++operations_;
    if (e->kind == ExprKind::kElement) return element(e, always);
    const bool chooses = e->kind == ExprKind::kLogical || e->kind == ExprKind::kSelect;
    bool fits = true, first = true;
    ir::for_each_operand(e, [&](Expr*& o) {
      fits = fits && prepare(o, always && (first || !chooses));
      first = false;
    });
    return fits;
  }

  bool element(Expr*& e, bool always) {
    auto& it = *ir::as<ir::Element>(e);
    const Local* array = ir::loaded(it.array);
    if (!array || array->maybe_unbound || changed_.contains(array) || it.indices.empty())
      return false;
    bool moves = false, steady = true;
    const ir::LocalSet own = ir::assigned_in(body_);
    for (const ir::Index& i : it.indices) {
      if (i.check || ir::reads_memory(i.value) || !is_quiet(i.value) || calls(i.value) ||
          ir::reads_any(i.value, own))
        return false;
      moves = moves || ir::reads(i.value, loop_.index);
      steady = steady && !ir::reads_any(i.value, changed_);
    }
    if (moves) return steady && neighbour(it, always && !leaves_);
    // What turns do may be why those behind them get there.
    const bool loaded = always && (updates_.empty() || (steady && !leaves_));
    if (!loaded && !inside_(it)) return false;
    e = in_front(it);
    return true;
  }

  // a[k, i + 1]; `loaded`: by every turn.
  bool neighbour(ir::Element& e, bool loaded) {
    is_of_data_ = true;
    ir::Index& last = e.indices.back();
    const Sum sum = sum_of(last.value);
    if (ir::loaded(sum.base) != loop_.index) return false;
    for (size_t axis = 0; axis + 1 < e.indices.size(); ++axis)
      if (ir::reads(e.indices[axis].value, loop_.index)) return false;
    const auto is_it = [&](const Expr* other) { return ir::equal(other, &e); };
    const bool sure = loaded || std::ranges::any_of(loaded_, is_it) || inside_(e);
    if (loaded) loaded_.push_back(ir::Cloner(program_).expr(&e));
    const ir::Const* from = ir::constant(loop_.lo);
    const bool counts = from && from->value.integer >= std::max<int64_t>(0, -sum.offset);
    if ((!sure || last.wrap) && !counts)
      require(build_.compare(CompareOp::kGe, by_first(sum.offset), build_.integer(0)));
    if (sure && !last.wrap) return true;
    last = {.value = shifted(loop_.index, sum.offset), .wrap = false};
    if (sure) return true;
    ir::Cloner cloner(program_);
    for (size_t axis = 0; axis < e.indices.size(); ++axis) {
      Expr* extent = build_.extent(cloner.expr(e.array), int(axis));
      if (&e.indices[axis] == &last) {
        require(build_.compare(CompareOp::kLe, by_first(sum.offset + kBlock), extent));
        break;
      }
      ir::Index& row = e.indices[axis];
      Expr *low = anywhere(cloner.expr(row.value)), *high = anywhere(cloner.expr(row.value));
      if (!ir::constant(low) || ir::constant(low)->value.integer < 0)
        require(build_.compare(CompareOp::kGe, low, build_.integer(0)));
      require(build_.compare(CompareOp::kLt, high, extent));
      row.wrap = false;
    }
    return true;
  }

  void require(Expr* condition) {
    const auto is_it = [&](const Expr* other) { return ir::equal(other, condition); };
    if (std::ranges::none_of(there_, is_it)) there_.push_back(condition);
  }

  Expr* in_front(ir::Element& e) {
    auto at =
        std::ranges::find_if(fixed_, [&](const auto& one) { return ir::equal(one.first, &e); });
    if (at == fixed_.end())
      at = fixed_.insert(at, {ir::Cloner(program_).expr(&e), build_.temp("fixed", e.type)});
    return build_.load(at->second);
  }

  // ---- pieces ----------------------------------------------------------------------------------
  Local* temp(std::string_view name, const types::Type* type) {
    return f_.locals.emplace_back(build_.temp(name, type));
  }
  Expr* shifted(Local* local, int64_t by) const {
    Expr* load = build_.load(local);
    return by == 0  ? load
           : by > 0 ? build_.plain(BinaryOp::kAdd, load, build_.integer(by))
                    : build_.plain(BinaryOp::kSub, load, build_.integer(-by));
  }
  Expr* by_first(int64_t by) const { return shifted(first_, by); }
  Expr* is_found(CompareOp op) const {
    return build_.compare(op, build_.load(found_), build_.zero(found_->type));
  }

  // As wide as the widest of what is asked: as many to a vector.
  const types::Type* type_of_found() const {
    int bits = 8;
    for (size_t k = 0; k < body_.size(); ++k)
      if (is_asked(k))
        ir::for_each_stmt(Block{body_[k]}, [&](const Stmt* s) {
          ir::for_each_expr(s, [&](const Expr* e) { bits = std::max(bits, bits_of(e)); });
        });
    return types::integer(bits, true);
  }
  static int bits_of(const Expr* e) {
    if (e->kind == ExprKind::kElement || e->kind == ExprKind::kLoad) return e->type->bits;
    int bits = e->type->is_float() && !ir::constant(e) ? e->type->bits : 0;
    ir::for_each_operand(e, [&](const Expr* o) { bits = std::max(bits, bits_of(o)); });
    return bits;
  }

  ir::For* in_lanes(Local* index, Block* body) const {
    auto* asks = build_.stmt<ir::For>(index, build_.load(first_), by_first(kBlock),
                                      build_.integer(1), ir::LoopKind::kSerial, body);
    asks->simd = true;
    asks->reductions = program_.list(std::vector{ir::Reduction{ir::ReduceOp::kOr, found_}});
    return asks;
  }

  // Does the question hang on its k-th statement?
  bool is_asked(size_t k) const {
    const auto* a = ir::try_as<ir::Assign>(body_[k]);
    return !a || std::any_of(body_.begin() + ptrdiff_t(k) + 1, body_.end(), [&](const Stmt* s) {
      bool read = false;
      ir::for_each_local_in(s, [&](const Local* local, ir::Access) { read |= local == a->local; });
      return read;
    });
  }

  // With variables of its own.
  Block* question() {
    ir::Cloner cloner(program_);
    Block* all = build_.block();
    for (const auto& [element, local] : fixed_) {
      f_.locals.push_back(local);
      all->push_back(build_.assign(local, element));
    }
    Local* index = cloner.renew(loop_.index, f_);
    for (const Local* local : ir::assigned_in(body_))
      if (local != found_) cloner.renew(local, f_);
    Block needed;
    for (size_t k = 0; k < body_.size(); ++k)
      if (is_asked(k)) needed.push_back(body_[k]);
    all->push_back(in_lanes(index, cloner.block(needed)));
    return all;
  }

  // last = min(first + 32, n), or, where many blocks have done something, first + 256
  Stmt* end_of_block(Local* last, Local* busy, Expr* end) const {
    Expr* asks = build_.compare(CompareOp::kLt, build_.load(busy), build_.integer(kBusy));
    Expr* length = build_.expr<ir::Select>(types::int64(), asks, build_.integer(kBlock),
                                           build_.integer(kLong));
    Expr* next = build_.plain(BinaryOp::kAdd, build_.load(first_), length);
    return build_.assign(last, build_.builtin(Id::builtins_min, types::int64(), {next, end}));
  }

  // Must the block take its turns whatever they ask: it has another length, or some no element.
  Expr* in_turns(Local* last) const {
    Expr* length = build_.plain(BinaryOp::kSub, build_.load(last), build_.load(first_));
    Expr* all = build_.compare(CompareOp::kNe, length, build_.integer(kBlock));
    for (Expr* there : there_) all = build_.logical(false, all, build_.negated(there));
    return build_.expr<ir::Convert>(found_->type, ir::ConvertOp::kExact, all);
  }

  // ... and how many blocks have, one behind the other; after a long one the next is asked again.
  Block* turns(Local* busy) {
    Expr* more = build_.plain(BinaryOp::kAdd, build_.load(busy), build_.integer(1));
    Expr* asks = build_.compare(CompareOp::kLt, build_.load(busy), build_.integer(kBusy));
    Expr* next = build_.expr<ir::Select>(types::int64(), asks, more, build_.integer(kBusy - 1));
    return build_.block({&loop_, build_.assign(busy, next)});
  }

  // What the last turn of a block without any leaves in the variables.
  Block* nothing(Local* last, Local* busy) {
    Block* block = build_.block({build_.assign(busy, build_.integer(0))});
    const bool any = std::ranges::any_of(body_, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && read_behind_.contains(a->local);
    });
    if (!any) return block;
    ir::Cloner cloner(program_);
    Local* at = cloner.renew(loop_.index, f_);
    block->push_back(
        build_.assign(at, build_.plain(BinaryOp::kSub, build_.load(last), build_.integer(1))));
    for (const Stmt* s : body_)
      if (s->kind != StmtKind::kUpdate) block->push_back(cloner.stmt(s));
    return block;
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  const ir::LocalSet& read_behind_;
  Inside& inside_;
  const Flow flow_;
  const ir::LocalSet changed_;
  const bool leaves_;  // turns may not come to pass
  const ir::Builder build_;
  Local *first_, *found_;
  ir::Cloner copier_;                   // of what is asked: other names of the index are it
  Block body_{};                        // of the loop that asks
  std::vector<ir::Update*> updates_{};  // of found_, in it
  std::vector<std::pair<Expr*, Local*>> fixed_{};  // elements that a block loads in front
  std::vector<const Expr*> loaded_{};              // elements that every turn loads
  std::vector<Expr*> there_{};                     // what holds where a block may be asked
  int operations_ = 0;
  bool is_of_data_ = false;
};

class Skips {
 public:
  Skips(Lowering& lowering, ir::Function& f)
      : program_(lowering.program),
        f_(f),
        notes_(lowering.notes),
        effects_(f),
        behind_(f.body),
        inside_(lowering.program, f) {}

  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) inside_.enter(loop);
      const Block made = loop ? in_blocks(*loop) : Block{};
      if (made.empty()) nested(s);
      if (loop) inside_.leave();
      if (made.empty())
        all.push_back(s);
      else
        all.insert(all.end(), made.begin(), made.end());
    }
    b = std::move(all);
  }

 private:
  // Slower versions are left alone, and what lanes leave over.
  void nested(Stmt* s) {
    auto* branch = ir::try_as<ir::If>(s);
    const bool is_of_lanes =
        branch && branch->versions &&
        ir::any_stmt(*branch->body, [](auto* one) { return one->kind == StmtKind::kLanes; });
    if (ir::is_loop(s)) around_.push_back(ir::assigned_in(s));
    if (branch && branch->versions && !is_of_lanes)
      block(*branch->body);
    else if (!is_of_lanes)
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
    if (ir::is_loop(s)) around_.pop_back();
  }

  // Where a loop around it, or data, say how far it goes, that is mostly not far; an array has
  // many elements.
  bool is_long(const ir::For& loop) const {
    const Expr* base = sum_of(loop.hi).base;
    const bool is_extent = base && base->kind == ExprKind::kQuery;
    const bool is_far = around_.empty() || is_extent ||
                        (!ir::reads_memory(loop.hi) && !ir::reads_any(loop.hi, around_.front()));
    return is_far && !turns_less(loop, 2 * kBlock);
  }

  Block in_blocks(ir::For& loop) {
    const bool alone = loop.loop == ir::LoopKind::kSerial && counts_by_one(loop) && !loop.simd &&
                       !loop.keeps_error && loop.reductions.empty() && loop.last_private.empty();
    const bool asks =
        std::ranges::any_of(*loop.body, [](const Stmt* s) { return s->kind == StmtKind::kIf; });
    if (!alone || !asks || !is_long(loop) || fits_vectors(loop)) return {};
    Question question(program_, f_, loop, effects_, behind_.of(&loop), inside_);
    if (!question.make()) return {};
    notes_.add(f_, &loop,
               {"one by one", "but where none of 32 does anything, which vectors ask ahead"});
    return question.blocks();
  }

  // Are its turns independent, or do they add up what lanes and C++ compilers add up?
  bool fits_vectors(const ir::For& loop) const {
    if (fills_lanes(loop, effects_) || counts(loop, effects_)) return true;
    const Iterations iterations(loop, effects_);
    bool straight = !effects_.of(*loop.body).raises, chooses = false;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      straight = straight && (branch || s->kind == StmtKind::kAssign ||
                              s->kind == StmtKind::kStore || s->kind == StmtKind::kUpdate);
      chooses = chooses || (branch && !branch->orelse->empty());
      ir::for_each_place(s, [&](const ir::Place& place) {
        straight = straight && (place.local || iterations.has_own(place));
      });
      ir::for_each_expr(s, [&](const Expr* e) { straight = straight && !ir::has_effect(e); });
    });
    const Flow flow = flow_of(*loop.body);
    const ir::LocalSet& behind = behind_.of(&loop);
    return straight && std::ranges::all_of(iterations.assigned(), [&](const Local* local) {
             if (!flow.exposes(local)) return flow.assigns(local) || !behind.contains(local);
             const auto reduced = reduction_of(*loop.body, local);
             const bool picks = reduced && (reduced->op == ir::ReduceOp::kMin ||
                                            reduced->op == ir::ReduceOp::kMax);
             return picks ? !chooses : reduced && local->type->is_int();
           });
  }

  ir::Program& program_;
  ir::Function& f_;
  LoopNotes& notes_;
  const ir::EffectAnalysis effects_;
  const ReadBehind behind_;  // before any loop was changed
  Inside inside_;
  std::vector<ir::LocalSet> around_{};  // what loops assign, outermost first
};

}  // namespace

void skips(Lowering& lowering) {
  for (ir::Function* f : lowering.program.functions)
    if (f->kind == ir::FunctionKind::kHost) Skips(lowering, *f).block(f->body);
}

}  // namespace pyk2cu::emit
