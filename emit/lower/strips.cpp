// Loops whose iterations may raise, a strip at a time: first whether any of it raises, then,
// mostly, the same without checks, which vectorises.
//
//   for i in range(n): out[i] = a[i] / b[i]
//   ->
//   const bool apart = disjoint(out, a, b) && n <= b.shape(0);
//   for (first = 0; first < n; first += 256) {
//     const last = min(first + 256, n);  bool checked = last - first < 8 || !apart;
//     if (!checked) for (i = first; i < last; ++i) checked |= b(i) == 0.0;
//     if (checked) for (i = first; i < last; ++i) step<true>(i, out, a, b);     // may raise
//     else         for (i = first; i < last; ++i) step<false>(i, out, a, b);    // in lanes
//   }
//
// The checks are computed ahead of what they guard: they may read only what the strip does not
// change, at places that `apart` has found inside their arrays.
// In: a loop that fills lanes.  Out: Strips. Tested by tests/golden/lanes, tests/run/test_lanes.py.
#include <algorithm>

#include "emit/lower/apart.h"
#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/parts.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kStrip = 256;  // iterations: what they read stays in the first-level cache
constexpr int64_t kFew = 8;      // iterations that vectors do not pay for

bool is_division_check(const Stmt* s) {
  const auto* raise = ir::as<ir::Raise>(ir::as<ir::If>(s)->body->front());
  return raise->exception == "ZeroDivisionError";
}

class Stripper {
 public:
  Stripper(ir::Program& program, ir::Function& f, ir::For& loop, const ir::EffectAnalysis& effects,
           const ReadBehind& behind)
      : program_(program),
        f_(f),
        loop_(loop),
        body_(*loop.body),
        effects_(effects),
        behind_(behind),
        iterations_(loop, effects_),
        build_{program, loop.span} {}

  Strips run(const std::vector<Around>& around) {
    if (!has_plain_bounds() || !varies() || is_read_behind() || !slice() || !loads_ahead())
      return {};
    if (!iterations_.are_independent(true)) return {};
    return make(around);
  }

 private:
  // ---- may it be done? -------------------------------------------------------------------------
  bool has_plain_bounds() const {
    const ir::Const* lo = ir::constant(loop_.lo);
    return lo && lo->value.integer >= 0 && iterations_.is_known(loop_.hi);
  }

  // Checks that are the same in every iteration compilers take out of the loop themselves.
  bool varies() const {
    return std::any_of(body_.begin(), body_.end(), [&](const Stmt* s) {
      return is_check(s) && !iterations_.is_known(ir::as<ir::If>(s)->condition);
    });
  }

  bool is_read_behind() const {
    if (!loop_.reductions.empty() || !loop_.last_private.empty()) return true;
    const ir::LocalSet& behind = behind_.of(&loop_);
    return std::any_of(
        iterations_.assigned().begin(), iterations_.assigned().end(),
        [&](const Local* local) { return local->maybe_unbound || behind.contains(local); });
  }

  // Which statements the checks need: in_[k].
  bool slice() {
    in_.assign(body_.size(), false);
    ir::LocalSet needed;
    const auto need = [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) { needed.insert(ir::loaded(part)); });
    };
    for (size_t k = body_.size(); k-- > 0;) {
      const Stmt* s = body_[k];
      const ir::LocalSet assigned = ir::assigned_in(s);
      in_[k] = is_check(s) || std::any_of(assigned.begin(), assigned.end(),
                                          [&](const Local* l) { return needed.contains(l); });
      if (!in_[k]) continue;
      if (s->kind == StmtKind::kStore) return false;
      if (is_check(s)) {
        need(ir::as<ir::If>(s)->condition);
        continue;
      }
      ir::for_each_local_in(s, [&](const Local* local, ir::Access access) {
        if (access != ir::Access::kWrite) needed.insert(local);
      });
    }
    return true;
  }

  // What the checks load is not stored before, and stays inside its array where `apart` says so.
  bool loads_ahead() {
    const bool explained = std::all_of(body_.begin(), body_.end(), [](const Stmt* s) {
      return !is_check(s) || is_division_check(s);
    });
    ir::LocalSet stored;
    bool fits = true;
    const auto load = [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      if (!element) return;
      const Expr* last = element->indices.back().value;
      const bool ours = ir::loaded(last) == loop_.index;
      // A `raise` of the source may be there to guard any index that is not checked here.
      fits = fits && !stored.contains(ir::loaded(element->array)) && (ours || explained) &&
             (element->indices.size() == 1 || explained) && (ours || iterations_.is_known(last));
      if (fits && ours) remember(*element);
    };
    for (size_t k = 0; k < body_.size(); ++k) {
      const Stmt* s = body_[k];
      if (in_[k] && is_check(s))
        ir::for_each_subexpr(std::as_const(ir::as<ir::If>(s)->condition), load);
      else if (in_[k])
        ir::for_each_expr_in(Block{body_[k]}, load);
      if (const auto* store = ir::try_as<ir::Store>(s))
        stored.insert(ir::loaded(store->place.array));
      const auto* update = ir::try_as<ir::Update>(s);
      if (update && !update->place.local) stored.insert(ir::loaded(update->place.array));
    }
    return fits && arrays_are_bound();
  }

  void remember(const ir::Element& element) {
    const int axis = static_cast<int>(element.indices.size()) - 1;
    const auto same = [&](const auto& known) { return known.first == ir::loaded(element.array); };
    if (std::none_of(ahead_.begin(), ahead_.end(), same))
      ahead_.push_back({ir::loaded(element.array), axis});
  }

  bool arrays_are_bound() {
    arrays_ = touched_by(body_);
    return arrays_.known;
  }

  // ---- pieces ----------------------------------------------------------------------------------
  Local* temp(std::string_view name, const types::Type* type) {
    f_.locals.push_back(build_.temp(name, type));
    return f_.locals.back();
  }
  Expr* load(Local* local) const { return build_.load(local); }

  // A loop over one strip with an index of its own.
  ir::For* over_strip(Local* index, Block* body) const {
    return build_.stmt<ir::For>(index, load(first_), load(last_), build_.integer(1),
                                ir::LoopKind::kSerial, body);
  }

  // for (i = first; i < last; ++i) checked |= …every check…
  ir::For* checks(Local* checked) {
    ir::Cloner cloner(program_);
    Local* index = cloner.renew(loop_.index, f_);
    Block* body = build_.block();
    for (size_t k = 0; k < body_.size(); ++k) {
      if (!in_[k]) continue;
      if (!is_check(body_[k])) {
        cloner.renew_assigned({body_[k]}, f_);
        body->push_back(cloner.stmt(body_[k]));
        continue;
      }
      Expr* fails = cloner.expr(ir::as<ir::If>(body_[k])->condition);
      ir::Place place;
      place.local = checked;
      body->push_back(
          ir::Builder{program_, body_[k]->span}.stmt<ir::Update>(place, ir::BinaryOp::kOr, fails));
    }
    ir::For* made = over_strip(index, body);
    made->simd = true;
    made->reductions = program_.list(std::vector{ir::Reduction{ir::ReduceOp::kOr, checked}});
    return made;
  }

  // One iteration, checked where its first parameter says so.
  Part step() {
    Local* checks = build_.temp("kCheck", types::boolean());
    Block body;
    for (Stmt* s : body_) {
      if (!is_check(s)) {
        body.push_back(s);
        continue;
      }
      auto& check = *ir::as<ir::If>(s);
      body.push_back(program_.make<ir::If>(check));
      ir::as<ir::If>(body.back())->condition =
          build_.expr<ir::Logical>(types::boolean(), true, build_.load(checks), check.condition);
    }
    Part part = make_part(program_, f_, {"step", "one iteration", loop_.span}, body,
                          {checks, loop_.index}, {});
    part.function->params[0].constant = true;
    part.function->is_inline = true;
    return part;
  }

  // for (i = first; i < last; ++i) step<checked>(i, …)
  ir::For* steps(const Part& part, bool checked) {
    ir::Cloner cloner(program_);
    Local* index = cloner.renew(loop_.index, f_);
    std::vector<Expr*> args{build_.boolean(checked), build_.load(index)};
    for (size_t k = 2; k < part.args.size(); ++k) args.push_back(build_.load(part.args[k]));
    auto* call = build_.expr<ir::Call>(types::void_(), part.function, program_.list(args));
    call->is_safe = !checked;
    ir::For* made = over_strip(index, build_.block({build_.stmt<ir::Eval>(call)}));
    made->simd = !checked;
    return made;
  }

  // ---- apart -----------------------------------------------------------------------------------
  Expr* may_go_ahead() {
    Expr* all = apart(build_, arrays_, effects_);
    const auto also = [&](Expr* e) { all = all ? build_.logical(true, all, e) : e; };
    for (const auto& [array, axis] : ahead_)
      if (!is_extent(loop_.hi, array, axis))
        also(build_.compare(types::CompareOp::kLe, ir::Cloner(program_).expr(loop_.hi),
                            build_.extent(load(array), axis)));
    return all;
  }

  static bool is_extent(const Expr* e, const Local* array, int axis) {
    const auto* q = ir::try_as<ir::Query>(e);
    if (!q || ir::loaded(q->operand) != array) return false;
    return (q->op == ir::QueryOp::kLen && axis == 0) ||
           (q->op == ir::QueryOp::kShape && q->axis == axis);
  }

  // ---- the whole -------------------------------------------------------------------------------
  // last = min(first + 256, n)
  Stmt* end_of_strip() {
    Expr* next = build_.plain(ir::BinaryOp::kAdd, load(first_), build_.integer(kStrip));
    Expr* end = ir::Cloner(program_).expr(loop_.hi);
    return build_.assign(last_, build_.builtin(Id::builtins_min, types::int64(), {next, end}));
  }

  // Must the strip be checked one by one whatever its checks say: short, or arrays overlap.
  Expr* surely_checked(const std::vector<Around>& around) {
    Expr* length = build_.plain(ir::BinaryOp::kSub, load(last_), load(first_));
    Expr* is_short = build_.compare(types::CompareOp::kLt, length, build_.integer(kFew));
    Expr* condition = may_go_ahead();
    if (!condition) return is_short;
    Local* known = ask(program_, f_, "apart", condition, around);
    return build_.logical(false, is_short, build_.negated(load(known)));
  }

  Strips make(const std::vector<Around>& around) {
    first_ = temp("first", types::int64());
    last_ = temp("last", types::int64());
    Local* checked = temp("checked", types::boolean());
    ir::For* check = checks(checked);
    const Part part = step();
    Block* body = build_.block({end_of_strip(), build_.assign(checked, surely_checked(around)),
                                build_.if_(build_.negated(load(checked)), build_.block({check})),
                                build_.if_(load(checked), build_.block({steps(part, true)}),
                                           build_.block({steps(part, false)}))});
    loop_.index = first_;
    loop_.step = build_.integer(kStrip);
    loop_.body = body;
    return {check->body, part.function};
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  Block& body_;
  const ir::EffectAnalysis& effects_;
  const ReadBehind& behind_;
  const Iterations iterations_;
  const ir::Builder build_;
  Local *first_ = nullptr, *last_ = nullptr;  // of the strip
  std::vector<bool> in_{};
  std::vector<std::pair<Local*, int>> ahead_{};  // loaded by checks: array, axis of the index
  TouchedArrays arrays_{};
};

}  // namespace

Strips strips(ir::Program& program, ir::Function& f, ir::For& loop,
              const std::vector<Around>& around, const ir::EffectAnalysis& effects,
              const ReadBehind& behind) {
  return Stripper(program, f, loop, effects, behind).run(around);
}

}  // namespace pyk2cu::emit
