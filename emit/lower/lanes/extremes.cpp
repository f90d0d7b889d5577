// Extremes: see extremes.h.
#include "emit/lower/lanes/extremes.h"

#include "emit/lower/iterations.h"
#include "emit/lower/reductions.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// Would a second run of the loop find the same, once its extremes are what they were?
bool can_repeat(const ir::For& loop, const Flow& flow, const ir::EffectAnalysis& effects) {
  bool pure = !effects.of(*loop.body).is_observable() && loop.reductions.empty();
  ir::for_each_stmt(std::as_const(*loop.body),
                    [&](const Stmt* s) { pure = pure && !ir::is_loop(s) && !ir::is_jump(s); });
  ir::for_each_expr_in(std::as_const(*loop.body),
                       [&](const Expr* e) { pure = pure && e->kind != ir::ExprKind::kCall; });
  for (const Local* local : ir::assigned_in(*loop.body)) {
    if (!pure || !flow.exposes(local)) continue;
    const auto reduced = reduction_of(*loop.body, local);
    pure = reduced && reduced->any_order;
  }
  return pure;
}

}  // namespace

void take_sums(ir::Function& f, Gang& gang, const ir::For& loop, const ir::EffectAnalysis& effects,
               bool any_order, ir::Cloner& cloner) {
  for (const ir::Reduction& r : loop.reductions) gang.gathered.push_back({r, any_order});
  if (loop.loop == ir::LoopKind::kParallel) return;
  const Flow flow = flow_of(*loop.body);
  const bool repeats = can_repeat(loop, flow, effects);
  struct Given {
    Local* own;
    Reduced reduced;
  };
  std::vector<Given> sums;
  bool floats = false;  // to which lanes add each for its own
  for (const Local* local : ir::assigned_in(*loop.body)) {
    if (!flow.exposes(local) || gang.find_gathered(local)) continue;
    if (const auto reduced = reduction_of(*loop.body, local)) {
      sums.push_back({const_cast<Local*>(local), *reduced});
      floats = floats || (reduced->op == ir::ReduceOp::kAdd && local->type->is_float());
    }
  }
  for (const auto& [own, reduced] : sums) {
    const bool adds = reduced.op == ir::ReduceOp::kAdd && f.options.fastmath && floats &&
                      (own->type->is_float() || own->type == types::int64());
    if (adds || (reduced.any_order && (reduced.one_zero || repeats))) {
      gang.extremes.push_back({reduced.op, own, cloner.renew(own, f), adds || reduced.one_zero});
      continue;
    }
    gang.gathered.push_back({{reduced.op, own}, own->type->is_int() || f.options.fastmath});
    cloner.map(own, own);
  }
}

Expr* turns_at_least(const ir::Builder& build, const ir::For& loop, int64_t least) {
  if (const auto turns = constant_turns(loop); turns && *turns >= least) return nullptr;
  ir::Cloner cloner(build.program);
  Expr* turns = cloner.expr(loop.hi);
  if (!ir::is_int_const(loop.lo, 0))
    turns =
        build.expr<ir::Binary>(types::int64(), types::BinaryOp::kSub, turns, cloner.expr(loop.lo));
  return build.compare(types::CompareOp::kGe, turns, build.integer(least));
}

void find_extremes(const ir::Builder& build, ir::Function& f, const Gang& gang, const ir::For& made,
                   Block& before, Block& behind) {
  const auto temp = [&](const std::string& name, const types::Type* type) {
    f.locals.push_back(build.temp(name, type));
    return f.locals.back();
  };
  // Where lanes have it in common there is one.
  const auto each_lane = [&](const Extreme& e, bool simd, Stmt* s) -> Stmt* {
    if (!e.lane->lanes) return s;
    return build.stmt<ir::Lanes>(temp("k", types::int32()), gang.width, nullptr, simd,
                                 ir::List<ir::Reduction>{}, build.block({s}));
  };
  const bool asks = std::any_of(gang.extremes.begin(), gang.extremes.end(),
                                [](const Extreme& e) { return !e.one_zero; });
  Block found;
  Block* again = build.block();  // as in front of the loop
  Expr* is_zero = nullptr;
  for (const Extreme& e : gang.extremes) {
    const bool adds = e.op == ir::ReduceOp::kAdd;
    Expr* start_of_lane = adds ? build.zero(e.own->type) : build.load(e.own);
    before.push_back(each_lane(e, true, build.assign(e.lane, start_of_lane)));
    const Id better = e.op == ir::ReduceOp::kMin ? Id::builtins_min : Id::builtins_max;
    Expr *own = build.load(e.own), *found_by_lane = build.load(e.lane);
    Expr* of_both =
        adds ? build.expr<ir::Binary>(e.own->type, ir::BinaryOp::kAdd, own, found_by_lane)
             : build.builtin(better, e.own->type, {own, found_by_lane});
    found.push_back(each_lane(e, false, build.assign(e.own, of_both)));
    if (!asks) continue;
    Local* start = temp(std::string(e.own->name.str()) + "_start", e.own->type);
    before.push_back(build.assign(start, build.load(e.own)));
    again->push_back(build.assign(e.own, build.load(start)));
    if (e.one_zero) continue;
    Expr* zero =
        build.compare(ir::CompareOp::kEq, build.load(e.own), build.floating(0, e.own->type));
    is_zero = is_zero ? build.logical(false, is_zero, zero) : zero;
  }
  if (is_zero) {
    ir::Cloner cloner(build.program);
    again->push_back(build.assign(ir::loaded(made.hi), cloner.expr(made.lo)));
    found.push_back(build.if_(is_zero, again));
  }
  behind.insert(behind.begin(), found.begin(), found.end());
}

}  // namespace pyk2cu::emit
