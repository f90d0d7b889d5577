// Rows at a time: see row_sums.h.
//
// The body is cut in two. In front stands what only computes, up to the last loop that hands
// something on from turn to turn: it is done for all rows of a group together, their loops joined.
// What follows is done row by row, in the order of the source. That is the same where what stands
// in front reads nothing that the rows before it wrote behind; where it stores, all rows have to be
// independent, and none may leave the loop.
// Tested by tests/golden/gangs/row_sums.py and tests/run/test_row_sums.py.
#include "emit/lower/lanes/row_sums.h"

#include <algorithm>
#include <unordered_set>

#include "emit/lower/apart.h"
#include "emit/lower/common_checks.h"
#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/jam.h"
#include "emit/lower/lanes/last_stored.h"
#include "emit/lower/lanes/nest.h"
#include "emit/lower/lanes/rows.h"
#include "emit/lower/reductions.h"
#include "emit/lower/totals.h"
#include "emit/lower/wraps.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int kRows = 4;               // at a time
constexpr int kManyRows = 8;           // ... of one recurrence, which waits longer than a sum
constexpr int kFewSums = 2;            // of a turn: more are enough for a processor
constexpr int64_t kSimple = 6;         // operations of a turn
constexpr int64_t kMuch = 12;          // ... for which vectors along the row are better
constexpr int64_t kFewTurns = 8;       // of a loop that is written out
constexpr int64_t kLittleBehind = 16;  // operations that are written out for every row
constexpr int64_t kFewGroups = 64;     // beside which a rest is much
constexpr int64_t kMuchBehind = 60;    // operations of what is written out for every row

bool counts_plainly(const ir::For& loop) {
  return counts_by_one(loop) && loop.loop == ir::LoopKind::kSerial && loop.reductions.empty() &&
         loop.last_private.empty();
}

// A division or a power of integers, which a gang has all at once.
bool takes_long(const Expr* e) {
  const auto* b = ir::try_as<ir::Binary>(e);
  return b && ((divides_integers(*b) && b->type->bits == 64 && !ir::constant(b->right)) ||
               raises_all(*b));
}

// Four products of parts: as much to do as the sum waits, so that lanes are quicker.
bool multiplies_parts(const types::Type* type, ir::BinaryOp op) {
  return type->is_complex() && op > ir::BinaryOp::kSub;
}

class Rows {
 public:
  Rows(ir::Program& program, ir::Function& f, const ir::For& loop,
       const ir::EffectAnalysis& effects, bool alone)
      : program_(program),
        f_(f),
        source_(loop),
        effects_(effects),
        alone_(alone),
        build_{program, loop.span} {}

  std::optional<RowSums> run(const ir::LocalSet& read_behind) {
    if (!counts_by_one(source_) || turns_less(source_, kRows) || !source_.last_private.empty() ||
        f_.options.fastmath || !has_chain() || jumps())
      return std::nullopt;
    copy(read_behind);
    checks_ = take_common_checks(program_, *loop_->body, loop_->index);
    const Iterations iterations(*loop_, effects_);
    // Two loops ask for the end, one of them when rows have been done.
    if (!iterations.is_known(loop_->lo) || !iterations.is_known(loop_->hi)) return std::nullopt;
    if (!find_front(iterations, true) || !may_be_done(iterations)) {
      if (!find_front(iterations, false) || !may_be_done(iterations)) return std::nullopt;
    }
    const int64_t written_out = cost_of_turn(behind());
    if (written_out > kMuchBehind) return std::nullopt;
    if (written_out > kLittleBehind) rows_ = kRows;
    return build();
  }

 private:
  // ---- what can be one for all rows ------------------------------------------------------------
  // A loop inside, of which a turn waits for a number of the one before it?
  bool has_chain() const {
    return std::ranges::any_of(*source_.body, [&](const Stmt* s) {
      const auto* loop = ir::try_as<ir::For>(s);
      return loop && counts_plainly(*loop) && hands_on(*loop);
    });
  }

  bool hands_on(const ir::For& loop) const {
    return chains_of(loop) > 0 ||
           (reads_what_it_stores(*loop.body) && !Iterations(loop, effects_).are_independent(true));
  }

  // Elements that are no whole numbers.
  static bool reads_what_it_stores(const Block& body) {
    std::unordered_set<const Local*> read;
    ir::for_each_expr_in(body, [&](const Expr* e) {
      if (const auto* element = ir::try_as<ir::Element>(e)) read.insert(ir::loaded(element->array));
    });
    bool found = false;
    ir::for_each_stmt(body, [&](const Stmt* s) {
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (place.local || !place.type()->is_inexact()) return;
        const Local* array = ir::loaded(place.array);
        found = found || s->kind == StmtKind::kUpdate || !array || read.contains(array);
      });
    });
    return found;
  }

  // How much a turn waits for of the one before: not what C++ compilers add up in any order.
  static int64_t chains_of(const ir::For& loop) {
    const Flow flow = flow_of(*loop.body);
    return std::ranges::count_if(ir::assigned_in(*loop.body), [&](const Local* local) {
      if (!flow.exposes(local) || !local->type->is_scalar()) return false;
      const auto reduced = reduction_of(*loop.body, local);
      if (!reduced) return true;
      const bool adds = reduced->op == ir::ReduceOp::kAdd || reduced->op == ir::ReduceOp::kMul;
      return adds && local->type->is_inexact();
    });
  }

  // Is the loop gone on with, or left, from inside it?
  bool jumps() const {
    return ir::any_stmt(*source_.body, [&](const Stmt* s) {
      const auto* on = ir::try_as<ir::Continue>(s);
      const auto* out = ir::try_as<ir::Break>(s);
      return (on && on->loop == &source_) || (out && out->loop == &source_);
    });
  }

  // A loop of its own, with variables of its own but those that the source's loop hands on.
  void copy(const ir::LocalSet& read_behind) {
    const Flow flow = flow_of(*source_.body);
    ir::Cloner cloner(program_);
    for (const Local* local : ir::assigned_in(*source_.body)) {
      const bool shared =
          flow.exposes(local) || read_behind.contains(local) || local->maybe_unbound;
      if (shared)
        shared_.insert(local);
      else
        cloner.renew(local, f_);
    }
    loop_ = program_.make<ir::For>(source_);
    loop_->index = cloner.renew(source_.index, f_);
    loop_->lo = cloner.expr(source_.lo);
    loop_->hi = cloner.expr(source_.hi);
    loop_->worth = cloner.expr(source_.worth);
    loop_->body = cloner.block(*source_.body);
    forward_rows(program_, f_, *loop_->body);
    Block& body = *loop_->body;
    for (size_t k = 0; k < body.size(); ++k) {
      auto* inner = ir::try_as<ir::For>(body[k]);
      if (!inner || touched_by(*inner->body).stored.size() != 1) continue;
      for (Stmt* front : keep_last(program_, f_, *inner).front)
        body.insert(body.begin() + long(k++), front);
    }
  }

  // What stands in front; no: there is nothing to gain.
  bool find_front(const Iterations& iterations, bool may_store) {
    const Block& body = *loop_->body;
    front_ = 0;
    stores_ = false;
    rows_ = kManyRows;
    indices_.clear();
    int rows = kManyRows;
    for (size_t k = 0; k < body.size() && in_front(body[k], iterations, may_store, false); ++k) {
      const auto* loop = ir::try_as<ir::For>(body[k]);
      if (!loop) continue;
      if (!hands_on(*loop) || !serves(*loop, rows)) break;
      front_ = k + 1;
      rows_ = rows;
    }
    const Block front(body.begin(), body.begin() + long(front_));
    ir::for_each_stmt(front, [&](const Stmt* s) {
      stores_ = stores_ || stores(s);
      if (const auto* loop = ir::try_as<ir::For>(s)) indices_.insert(loop->index);
    });
    return front_ > 0;
  }

  static bool stores(const Stmt* s) {
    bool found = false;
    ir::for_each_place(s, [&](const ir::Place& place) { found = found || !place.local; });
    return found;
  }

  // Nothing but values, of what the rows before it do not change; `inside`: of a loop.
  bool in_front(const Stmt* s, const Iterations& iterations, bool may_store, bool inside) const {
    const auto* loop = ir::try_as<ir::For>(s);
    const bool fits = s->kind == StmtKind::kAssign || s->kind == StmtKind::kUpdate ||
                      (s->kind == StmtKind::kStore && may_store) ||
                      (s->kind == StmtKind::kIf && !inside) || loop;
    if (!fits || (stores(s) && !may_store)) return false;
    if (loop && !(counts_plainly(*loop) && iterations.is_known(loop->lo) &&
                  iterations.is_known(loop->hi) && !turns_less(*loop, kFewTurns)))
      return false;
    bool pure = true;
    ir::for_each_local_of(
        s, [&](const Local* local, ir::Access) { pure = pure && !shared_.contains(local); });
    ir::for_each_expr(s, [&](const Expr* e) {
      pure = pure && !ir::has_effect(e);
      ir::for_each_subexpr(e, [&](const Expr* part) {
        pure = pure && part->kind != ir::ExprKind::kCall && part->kind != ir::ExprKind::kView &&
               part->kind != ir::ExprKind::kNewArray;
        // An array as a whole, which nobody asks whether it is apart.
        if (const auto* call = ir::try_as<ir::Builtin>(part))
          pure = pure && std::ranges::none_of(call->args, [](const Expr* arg) {
                   return types::holds_array(arg->type);
                 });
        if (const auto* element = ir::try_as<ir::Element>(part))
          for (const ir::Index& i : element->indices) pure = pure && !i.check;
      });
    });
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (place.local) return;
      for (const ir::Index& i : place.indices) pure = pure && !i.check;
    });
    ir::for_each_block(s, [&](const Block& block) {
      for (const Stmt* one : block)
        pure = pure && !(ir::is_loop(one) && !loop) &&
               in_front(one, iterations, may_store, inside || loop);
    });
    return pure;
  }

  // Elements of the row lie side by side, not those of the rows, and there is little beside.
  bool serves(const ir::For& loop, int& rows) const {
    bool serves = !differs_in_lanes(*loop.body);
    const auto look = [&](const Expr* array, const ir::List<ir::Index>& indices) {
      const bool columns = array->type->layout == types::Layout::kF;
      const ir::Index& near = columns ? indices.front() : indices.back();
      serves = serves && !ir::reads(near.value, loop_->index);
    };
    ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
      if (const auto* element = ir::try_as<ir::Element>(e)) look(element->array, element->indices);
      const auto* b = ir::try_as<ir::Binary>(e);
      serves = serves && !(b && multiplies_parts(b->type, b->op)) &&
               (alone_ || !(widens(e) || takes_long(e)));
    });
    ir::for_each_stmt(std::as_const(*loop.body), [&](const Stmt* s) {
      const auto* u = ir::try_as<ir::Update>(s);
      serves = serves && !(u && multiplies_parts(u->place.type(), u->op));
      ir::for_each_place(s, [&](const ir::Place& place) {
        if (!place.local) look(place.array, place.indices);
      });
    });
    const Block* innermost = loop.body;
    for (const Stmt* s : *loop.body)
      if (const auto* inner = ir::try_as<ir::For>(s)) innermost = inner->body;
    const int64_t cost = cost_of_turn(*innermost), chains = std::max<int64_t>(chains_of(loop), 1);
    if (chains > 1 || cost > kSimple || !recurs(loop)) rows = kRows;
    return serves && cost <= kMuch * chains && (chains <= kFewSums || alone_);
  }

  // x = a * x + b
  static bool recurs(const ir::For& loop) {
    const Flow flow = flow_of(*loop.body);
    return std::ranges::any_of(ir::assigned_in(*loop.body), [&](const Local* local) {
      return flow.exposes(local) && local->type->is_scalar() && !reduction_of(*loop.body, local);
    });
  }

  // An integer of few bits, which vectors convert many of at once.
  static bool widens(const Expr* e) {
    const auto* c = ir::try_as<ir::Convert>(e);
    return c && c->type->is_float() && c->operand->type->is_int() && c->operand->type->bits < 32;
  }

  Block front() const { return {loop_->body->begin(), loop_->body->begin() + long(front_)}; }
  Block behind() const { return {loop_->body->begin() + long(front_), loop_->body->end()}; }

  // ---- is it the same? -------------------------------------------------------------------------
  bool may_be_done(const Iterations& iterations) {
    condition_ = nullptr;
    if (!are_short()) return false;
    for (Expr* check : checks_) require(build_.negated(ir::Cloner(program_).expr(check)));
    const Block front = this->front(), behind = this->behind();
    const ir::LocalSet assigned = ir::assigned_in(*loop_->body);
    const auto fixed = [&](const TouchedArrays& arrays) {
      return arrays.known && std::ranges::none_of(arrays.all, [&](const Local* array) {
               return assigned.contains(array);
             });
    };
    bool leaves = false;
    bool writes = false;  // a call behind, anything
    ir::for_each_stmt(behind, [&](const Stmt* s) {
      leaves = leaves || s->kind == StmtKind::kReturn || s->kind == StmtKind::kRaise;
      writes = writes || ir::written_by(s).size() > size_t(stores(s));
    });
    ir::for_each_expr_in(behind, [&](const Expr* e) {
      const auto* call = ir::try_as<ir::Call>(e);
      leaves = leaves || (call && ir::may_raise(*call));
      writes = writes || !ir::written_by(e).empty() || (call && !effects_.of(e).writes.empty());
    });
    if (writes || (leaves && (stores_ || !is_there(front)))) return false;
    if (source_.loop == ir::LoopKind::kParallel) return !leaves;
    if (leaves) {
      const auto there = is_inside(build_, *loop_, loop_->index, front);
      if (!there) return false;
      require(*there);
    }
    const TouchedArrays all = touched_by(*loop_->body);
    is_apart_ = fixed(all) && iterations.are_independent(true);
    if (is_apart_) {
      require(apart(build_, all, effects_));
      return true;
    }
    TouchedArrays read = touched_by(front), written = touched_by(behind);
    if (stores_ || !fixed(read) || !fixed(written)) return false;
    for (Local* array : read.all)
      if (std::ranges::find(written.stored, array) != written.stored.end()) return false;
    written.all = written.stored;
    written.all.insert(written.all.end(), read.all.begin(), read.all.end());
    require(apart(build_, written, effects_));
    return true;
  }

  // Long sums that have no order are quicker one at a time, in parts: see totals.cpp.
  bool are_short() {
    bool all = true;
    ir::for_each_stmt(front(), [&](const Stmt* s) {
      const auto* loop = ir::try_as<ir::For>(s);
      const std::vector<Local*> sums = loop ? summed_freely(*loop) : std::vector<Local*>{};
      if (sums.empty()) return;
      const int64_t enough = enough_turns(sums);
      if (ir::constant(loop->hi))
        all = all && turns_less(*loop, enough);
      else
        require(build_.compare(ir::CompareOp::kLt, ir::Cloner(program_).expr(loop->hi),
                               build_.integer(enough)));
    });
    return all;
  }

  // Rows that are not reached have such elements too, where those of the loop's index are there;
  // not what a row loads under a condition of its own.
  bool is_there(const Block& front) const {
    ir::LocalSet computed = ir::assigned_in(front);
    for (const Local* index : indices_) computed.erase(index);
    bool there = !ir::any_stmt(front, [](const Stmt* s) { return s->kind == StmtKind::kIf; });
    ir::for_each_expr_in(front, [&](const Expr* e) {
      there = there && e->kind != ir::ExprKind::kSelect && e->kind != ir::ExprKind::kLogical;
      const auto* element = ir::try_as<ir::Element>(e);
      if (!element) return;
      for (const ir::Index& i : element->indices)
        there = there && (ir::loaded(i.value) == loop_->index ||
                          (!ir::reads(i.value, loop_->index) && !ir::reads_any(i.value, computed)));
    });
    return there;
  }

  void require(Expr* e) {
    if (e) condition_ = condition_ ? build_.logical(true, condition_, e) : e;
  }

  // if s < least: least, best = s, i   ->   taken = s < least; least = s if taken else least; …
  // One after the other for all rows: no processor foresees so many.
  void choose_behind() {
    Block chosen, before = front();
    for (Stmt* s : behind()) {
      auto* branch = ir::try_as<ir::If>(s);
      if (!branch || !only_assigns(*branch, before)) {
        before.push_back(s);
        chosen.push_back(s);
        continue;
      }
      const ir::Builder b{program_, s->span};
      f_.locals.push_back(b.temp("taken", types::boolean()));
      Local* taken = f_.locals.back();
      chosen.push_back(b.assign(taken, branch->condition));
      before.push_back(chosen.back());
      for (Stmt* one : *branch->body) {
        auto& a = *ir::as<ir::Assign>(one);
        a.value = b.expr<ir::Select>(a.local->type, b.load(taken), a.value, b.load(a.local));
        chosen.push_back(one);
        before.push_back(one);
      }
    }
    loop_->body->erase(loop_->body->begin() + long(front_), loop_->body->end());
    loop_->body->insert(loop_->body->end(), chosen.begin(), chosen.end());
  }

  // What has no value before the branch stays where it is: a choice would hand on that of the row
  // before it.
  bool only_assigns(const ir::If& branch, const Block& before) const {
    if (!branch.orelse->empty() || branch.versions) return false;
    const Flow flow = flow_of(before);
    return std::ranges::all_of(*branch.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && a->local->type->is_real() && !a->local->type->is_bool() &&
             !a->local->maybe_unbound && (ir::loaded(a->value) || ir::constant(a->value)) &&
             (shared_.contains(a->local) || flow.assigns(a->local));
    });
  }

  // ---- the new loop ----------------------------------------------------------------------------
  RowSums build() {
    RowSums made{.condition = condition_, .rows = rows_};
    Block front = this->front();
    ir::for_each_stmt(front, [&](Stmt* s) {
      if (ir::is_loop(s)) made.joined.push_back(s);
      if (auto* loop = ir::try_as<ir::For>(s)) loop->adds_freely = false;  // those are short
    });
    f_.locals.push_back(
        build_.temp(std::string(source_.index->name.str()) + "_rest", types::int64()));
    Local* rest = f_.locals.back();
    if (loop_->loop == ir::LoopKind::kParallel) loop_->keeps_error = false;  // none raises
    Stmt* before = build_.assign(rest, whole_groups(build_, loop_->lo, loop_->hi, rows_));
    choose_behind();
    made.block = jam(program_, f_, *loop_, rows_, rest, front_);
    share_rest(*ir::as<ir::For>(made.block->back()));
    made.block->insert(made.block->begin(), before);
    if (is_apart_) ir::for_each_stmt(*made.block, [&](Stmt* s) { mark(s); });
    return made;
  }

  // Of few rows those that no group holds are as much work for the cores as the groups.
  void share_rest(ir::For& left) const {
    if (left.loop != ir::LoopKind::kParallel || !left.worth) return;
    Expr* few = build_.compare(ir::CompareOp::kLt, turns_of(build_, source_),
                               build_.integer(kFewGroups * rows_));
    left.worth = build_.logical(true, few, left.worth);
  }

  // Straight code, whose arrays share no memory.
  void mark(Stmt* s) const {
    auto* loop = ir::try_as<ir::For>(s);
    if (loop && loop->loop == ir::LoopKind::kSerial && fills_lanes(*loop, effects_) &&
        std::ranges::none_of(*loop->body, is_check))
      loop->simd = loop->simd || Iterations(*loop, effects_).are_independent(true);
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::For& source_;
  const ir::EffectAnalysis& effects_;
  const bool alone_;
  const ir::Builder build_;
  ir::For* loop_ = nullptr;      // the copy
  ir::LocalSet shared_{};        // variables that rows hand on, or that are read behind the loop
  std::vector<Expr*> checks_{};  // that all rows have in common
  size_t front_ = 0;             // statements of its body that stand in front
  bool stores_ = false;          // ... some of which store
  bool is_apart_ = false;        // no array that is stored to shares memory with another
  int rows_ = 0;
  ir::LocalSet indices_{};  // of the loops in front
  Expr* condition_ = nullptr;
};

}  // namespace

std::optional<RowSums> row_sums(ir::Program& program, ir::Function& f, const ir::For& loop,
                                const ir::EffectAnalysis& effects, const ir::LocalSet& read_behind,
                                bool alone) {
  return Rows(program, f, loop, effects, alone).run(read_behind);
}

}  // namespace pyk2cu::emit
