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
// left to do. Where one does, they take their turns, and ask again. Where blocks that do something
// follow one another (busy), long ones take their turns unasked. A block that is shorter than what
// is asked, or that has not all of its elements, is `found` as well.
//
// In:   functions behind gangs.  Out: serial loops, changed, whose turns do something only under
// conditions that vectors can compute, and that neither lanes nor C++ compilers make vectors of.
// Tested by tests/golden/passes/skips.py and tests/run/test_skips.py.
#include <algorithm>

#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lower.h"
#include "emit/lower/question.h"
#include "emit/lower/reductions.h"
#include "typeinfer/ir/clone.h"

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

constexpr size_t kMany = 64;    // variables of a loop, of each of which all of it is asked
constexpr int64_t kLong = 256;  // turns that nobody asks ahead
constexpr int64_t kBusy = 4;    // blocks that have done something, one behind the other

// The loop over blocks of a loop.
class Blocks {
 public:
  Blocks(ir::Program& program, ir::Function& f, ir::For& loop, const ir::EffectAnalysis& effects,
         const ir::LocalSet& read_behind, Inside& inside, const Question& question)
      : program_(program),
        f_(f),
        loop_(loop),
        effects_(effects),
        read_behind_(read_behind),
        inside_(inside),
        question_(question),
        build_{program, loop.span} {}

  // What stands where the loop stood.
  Block make() {
    Local* last = temp("last", types::int64());
    Local* busy = temp("busy", types::int64());
    for (Local* local : {question_.first, question_.found}) f_.locals.push_back(local);
    Block all{build_.assign(question_.first, loop_.lo), build_.assign(busy, build_.integer(0))};
    Expr* end = loop_.hi;
    const Expr* base = sum_of(end).base;
    const bool is_short = !base || ir::loaded(base) || base->kind == ExprKind::kQuery;
    if (!is_short || !Iterations(loop_, effects_).is_known(end)) {
      Local* once = temp("end", types::int64());
      all.push_back(build_.assign(once, end));
      end = build_.load(once);
    }
    Expr* is_left = build_.compare(CompareOp::kLt, build_.load(question_.first), end);
    Block* body =
        build_.block({end_of_block(last, busy, end), build_.assign(question_.found, in_turns(last)),
                      build_.if_(is_found(CompareOp::kEq), ask()),
                      build_.if_(is_found(CompareOp::kNe), turns(busy), nothing(last, busy)),
                      build_.assign(question_.first, build_.load(last))});
    Stmt* over = build_.stmt<ir::While>(is_left, body);
    ir::for_each_expr_in(*loop_.body, [&](Expr* e) {  // as long as that is known
      if (auto* element = ir::try_as<ir::Element>(e); element && inside_(*element))
        element->is_there = true;
    });
    loop_.lo = build_.load(question_.first);
    loop_.hi = build_.load(last);
    ir::for_each_stmt(*loop_.body, [&](Stmt* s) {
      auto* jump = ir::try_as<ir::Break>(s);
      if (jump && jump->loop == &loop_) jump->loop = over;
    });
    all.push_back(over);
    return all;
  }

 private:
  Local* temp(std::string_view name, const types::Type* type) {
    return f_.locals.emplace_back(build_.temp(name, type));
  }
  Expr* is_asked(Local* busy) const {
    return build_.compare(CompareOp::kLt, build_.load(busy), build_.integer(kBusy));
  }
  Expr* is_found(CompareOp op) const {
    return build_.compare(op, build_.load(question_.found), build_.zero(question_.found->type));
  }

  // With variables of its own.
  Block* ask() {
    ir::Cloner cloner(program_);
    Block* all = build_.block();
    for (const auto& [element, local] : question_.fixed) {
      f_.locals.push_back(local);
      all->push_back(build_.assign(local, element));
    }
    Local* index = cloner.renew(loop_.index, f_);
    for (const Local* local : ir::assigned_in(question_.body))
      if (local != question_.found) cloner.renew(local, f_);
    Block needed;
    for (size_t k = 0; k < question_.body.size(); ++k)
      if (question_.needs(k)) needed.push_back(question_.body[k]);
    all->push_back(question_.loop(program_, index, cloner.block(needed)));
    return all;
  }

  // last = min(first + 32, n), or, where many blocks have done something, first + 256
  Stmt* end_of_block(Local* last, Local* busy, Expr* end) const {
    ir::Cloner cloner(program_);
    Expr* length = build_.expr<ir::Select>(types::int64(), is_asked(busy), build_.integer(kAsked),
                                           build_.integer(kLong));
    Expr* next = build_.plain(BinaryOp::kAdd, build_.load(question_.first), length);
    Expr* value = build_.builtin(Id::builtins_min, types::int64(), {next, cloner.expr(end)});
    const Expr* base = sum_of(end).base;
    if (!base || base->kind != ExprKind::kQuery) {  // it may be any number
      Expr* far = build_.compare(CompareOp::kLe, build_.load(question_.first),
                                 build_.integer(INT64_MAX - kLong));
      value = build_.expr<ir::Select>(types::int64(), far, value, cloner.expr(end));
    }
    return build_.assign(last, value);
  }

  // Must the block take its turns whatever they ask: it has another length, or some no element.
  Expr* in_turns(Local* last) const {
    Expr* length = build_.plain(BinaryOp::kSub, build_.load(last), build_.load(question_.first));
    Expr* all = build_.compare(CompareOp::kNe, length, build_.integer(kAsked));
    for (Expr* there : question_.there) all = build_.logical(false, all, build_.negated(there));
    return build_.expr<ir::Convert>(question_.found->type, ir::ConvertOp::kExact, all);
  }

  // The turns; how many blocks have taken theirs, one behind the other: after a long one the next
  // is asked again.
  Block* turns(Local* busy) {
    stay_branches(*loop_.body);
    Expr* more = build_.plain(BinaryOp::kAdd, build_.load(busy), build_.integer(1));
    Expr* next =
        build_.expr<ir::Select>(types::int64(), is_asked(busy), more, build_.integer(kBusy - 1));
    return build_.block({&loop_, build_.assign(busy, next)});
  }

  // if a[i] < a[u]: u = i: turns that do something are few, and the next one asks a[u] again.
  void stay_branches(const Block& b) const {
    for (Stmt* s : b) {
      const auto* branch = ir::try_as<ir::If>(s);
      if (!branch || !branch->orelse->empty()) continue;
      stay_branches(*branch->body);
      for (Stmt* inner : *branch->body) {
        auto* a = ir::try_as<ir::Assign>(inner);
        if (!a || !a->value->type->is_int() || !indexes(branch->condition, a->local)) continue;
        a->value = build_.builtin(Id::pyk_branched, a->value->type, {a->value});
      }
    }
  }
  // Is it a subscript of what the expression loads?
  static bool indexes(const Expr* e, const Local* local) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* element = ir::try_as<ir::Element>(part);
      if (element)
        for (const ir::Index& i : element->indices) found = found || ir::reads(i.value, local);
    });
    return found;
  }

  // What the last turn of a block without any leaves in the variables.
  Block* nothing(Local* last, Local* busy) {
    Block* block = build_.block({build_.assign(busy, build_.integer(0))});
    const bool any = std::ranges::any_of(question_.body, [&](const Stmt* s) {
      const auto* a = ir::try_as<ir::Assign>(s);
      return a && read_behind_.contains(a->local);
    });
    if (!any) return block;
    ir::Cloner cloner(program_);
    Local* at = cloner.renew(loop_.index, f_);
    block->push_back(
        build_.assign(at, build_.plain(BinaryOp::kSub, build_.load(last), build_.integer(1))));
    for (const Stmt* s : question_.body)
      if (s->kind != StmtKind::kUpdate) block->push_back(cloner.stmt(s));
    return block;
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  const ir::LocalSet& read_behind_;
  Inside& inside_;
  const Question& question_;
  const ir::Builder build_;
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
    return is_far && !turns_less(loop, 2 * kAsked);
  }

  Block in_blocks(ir::For& loop) {
    const bool alone = loop.loop == ir::LoopKind::kSerial && counts_by_one(loop) && !loop.simd &&
                       !loop.keeps_error && loop.reductions.empty() && loop.last_private.empty();
    const bool asks =
        std::ranges::any_of(*loop.body, [](const Stmt* s) { return s->kind == StmtKind::kIf; });
    if (!alone || !asks || !is_long(loop) || fits_vectors(loop)) return {};
    const ir::LocalSet& behind = behind_.of(&loop);
    const auto question = question_of(program_, loop, effects_, behind, inside_);
    if (!question) return {};
    notes_.call(f_, &loop, "one by one, 32 at once where none does anything");
    return Blocks(program_, f_, loop, effects_, behind, inside_, *question).make();
  }

  // Are its turns independent, or do they add up what lanes and C++ compilers add up? Or is it so
  // large that nobody asks?
  bool fits_vectors(const ir::For& loop) const {
    if (fills_lanes(loop, effects_) || counts(loop, effects_)) return true;
    const Iterations iterations(loop, effects_);
    if (iterations.assigned().size() > kMany) return true;
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
