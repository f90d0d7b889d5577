// Regions: see region.h.
//
// The body is cloned, helpers are inlined, rows and tuples are taken apart; then it is asked
// whether iterations have their variables and elements to themselves, and whether all that may
// raise comes first: the gang of a lane that raises runs again, one by one.
// Tested by tests/golden/gangs, tests/run/test_gangs.py and tests/run/test_loop_report.py.
#include "emit/lower/lanes/region.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "emit/lower/apart.h"
#include "emit/lower/blocks.h"
#include "emit/lower/common_checks.h"
#include "emit/lower/interval.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes/again.h"
#include "emit/lower/lanes/chosen.h"
#include "emit/lower/lanes/complexes.h"
#include "emit/lower/lanes/draws.h"
#include "emit/lower/lanes/extremes.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/gang.h"
#include "emit/lower/lanes/inline.h"
#include "emit/lower/lanes/interleaved.h"
#include "emit/lower/lanes/jam.h"
#include "emit/lower/lanes/lift.h"
#include "emit/lower/lanes/own_arrays.h"
#include "emit/lower/lanes/panels.h"
#include "emit/lower/lanes/rows.h"
#include "emit/lower/lanes/tuples.h"
#include "emit/lower/lanes/turns.h"
#include "emit/lower/lanes/width.h"
#include "emit/lower/lanes/words.h"
#include "emit/lower/lanes/worth.h"
#include "emit/lower/lower.h"
#include "emit/lower/reductions.h"
#include "emit/lower/wraps.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/clone.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr double kClearly = 1.25;   // a gain that is worth another condition
constexpr int64_t kLongRow = 48;    // small numbers that are added up along it
constexpr int64_t kFewTurns = 8;    // iterations that no gang is made for
constexpr double kLong = 1000;      // cycles of an iteration
constexpr int64_t kShortSum = 192;  // turns that lanes which only add take longer for than C++
constexpr int kFewOf = 4;           // iterations that fill less than a quarter of a gang run alone

Expr* at_most(const ir::Builder& build, int width, Expr* left) {
  Expr* least =
      build.builtin(builtins::Id::builtins_min, types::int64(), {build.integer(width), left});
  return build.expr<ir::Convert>(types::int32(), ir::ConvertOp::kWrap, least);
}

// Sums in any order, which the C++ compiler is not told of.
bool sums_freely(const Gang& gang, const ir::Function& f) {
  return f.own_math && std::ranges::any_of(gang.extremes, [](const Extreme& e) {
           return e.op == ir::ReduceOp::kAdd;
         });
}

// May what follows the last gang be no int64? Not where the source's loop would turn for years.
bool may_step_over(const ir::For& loop, const Limits& limits) {
  const auto most = [](Expr* e) {
    Known nothing;
    Observer nobody;
    return evaluate(e, nothing, nobody).hi;
  };
  const Wide last = full(loop.index->type).hi;
  const auto is_far = [&](Expr* end) { return most(end) > last - kMostLanes; };
  return loop.loop == ir::LoopKind::kSerial && is_far(loop.hi) &&
         std::ranges::all_of(limits.below, is_far) &&
         most(limits.from.empty() ? loop.lo : limits.from.front()) > last / 2;
}

// A loop inside that turns as often as memory says, in iterations that the source may not reach;
// null: there is none.
const Stmt* turns_of_data(const Block& body, const Shape& shape) {
  const ir::LocalSet assigned = ir::assigned_in(body);
  const Stmt* found = nullptr;
  const auto is_data = [&](const Expr* e) {
    return ir::reads_memory(e) || ir::reads_any(e, assigned);
  };
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* inner = ir::try_as<ir::For>(s);
    if (!found && inner && shape.turns(inner).varying && (is_data(inner->lo) || is_data(inner->hi)))
      found = s;
  });
  return found;
}

// Sums of small numbers along long rows fill vectors by themselves: are all rows short? Null: there
// are none, or nobody knows in front.
Expr* are_rows_short(const ir::Builder& build, ir::Function& f, const ir::For& loop,
                     const ir::EffectAnalysis& effects) {
  const Iterations iterations(loop, effects);
  Expr* all = nullptr;
  for (const ir::For* row : short_sums(build.program, f, *loop.body)) {
    if (!iterations.is_known(row->lo) || !iterations.is_known(row->hi)) continue;
    Expr* is_short =
        build.compare(ir::CompareOp::kLt, turns_of(build, *row), build.integer(kLongRow));
    all = all ? build.logical(true, all, is_short) : is_short;
  }
  return all;
}

// One loop on its way.
class Region {
 public:
  Region(ir::Program& program, ir::Function& f, ir::For& loop, const ir::EffectAnalysis& effects,
         const Outside& outside, bool is_tile)
      : program_(program),
        f_(f),
        loop_(loop),
        effects_(effects),
        outside_(outside),
        is_tile_(is_tile),
        build_{program, loop.span} {}

  GangLoop run(const Options& options, bool straight) {
    ir::For* made = loop(options, straight);
    if (!made) return std::move(all_);
    find_extremes(build_, f_, gang_, *made, before_, behind_);
    before_.push_back(made);
    before_.insert(before_.end(), behind_.begin(), behind_.end());
    all_.block = program_.make<Block>(before_);
    return std::move(all_);
  }

 private:
  ir::For* loop(const Options& options, bool straight) {
    strict_fp_ = options.strict_fp;
    gang_.forms = forms_of(options, f_);
    gang_.vector_bits = vector_bits(options.march);
    if (!copies()) return nullptr;
    take_checks();
    if (!are_private() || !is_independent() || !raises_first()) return nullptr;
    const Loops filled = straight_loops(program_, f_, *body_, effects_);
    gang_.lane = temp("k", types::int32());
    widen(program_, *body_, own_, gang_.lane);
    ir::LocalSet own;
    for (const Local* local : {gang_.index, gang_.lane, gang_.failed})
      if (local) own.insert(local);
    for (const Extreme& e : gang_.extremes)  // each adds, even where all add the same
      if (e.op == ir::ReduceOp::kAdd) own.insert(e.lane);
    std::optional<Shape> known(std::in_place, *body_, own, shared(), abandoned_);
    if (mark_safe_loads(program_, *body_, gang_, loop_, outside_, *known))
      known.emplace(*body_, own, shared(), abandoned_);
    const Shape& shape = *known;
    if (gang_.failed && loop_.loop == ir::LoopKind::kSerial) {
      Block& may_raise = *ir::as<ir::While>((*body_)[gang_.commits - 1])->body;
      if (const Stmt* inner = turns_of_data(may_raise, shape)) {
        refuse(inner->span, "how often it turns is data, of iterations behind one that may raise");
        return nullptr;
      }
      ask_there(build_, loop_, gang_.index, may_raise,
                [&](const Expr* e) { return shape.varies(e); });
    }
    if (counts_by_one(loop_) &&
        (all_.condition || !gang_.gathered.empty() || !gang_.extremes.empty()))
      require(ask_safe_loads(program_, *body_, gang_, loop_, shape),
              "where arrays are as long as the loop");
    choose_width(gang_, shape, *body_);
    if (options.gang > 0) gang_.width = options.gang;
    give_lanes(build_, own_, gang_.width);
    require(are_small(build_, own_, gang_.width), "where the arrays of an iteration are small");
    Worth worth = worth_of(*body_, gang_, shape, abandoned_, filled);
    ask_rows(shape, filled, worth);
    if (!options.gang && !pays(worth, straight)) return nullptr;
    ask_turns(worth);
    if (!options.gang)
      require(are_rows_short(build_, f_, loop_, effects_),
              fmt::format("where rows of small numbers are shorter than {}", kLongRow));
    all_.is_dense = worth.is_dense;
    only_adds_ = worth.only_adds && f_.is_relaxed();
    gang_.is_dense = worth.is_dense && !gang_.failed && own_.made.empty();
    ir::For* made = make(shape);
    if (made) describe(shape);
    return made;
  }

  // Rows of a few elements, whose number lanes that do not pay otherwise ask in front.
  void ask_rows(const Shape& shape, const Loops& filled, Worth& worth) {
    if (!is_tile_) gang_.interleaved = interleaved(*body_, gang_, shape);
    if (gang_.interleaved.empty()) return;
    const Worth known = worth_of(*body_, gang_, shape, abandoned_, filled);
    const bool can_be_twice = !gang_.failed && own_.made.empty();
    if (worth.pays &&
        (known.lanes * kClearly > worth.lanes || !(can_be_twice || are_bytes(gang_.interleaved))))
      return gang_.interleaved.clear();
    gang_.rows_twice = worth.pays && can_be_twice;
    worth = known;
    const std::string words = rows_in_words(gang_.interleaved);
    if (gang_.rows_twice)
      asked_.push_back("faster where " + words);
    else
      require(have_extents(build_, gang_.interleaved), "where " + words);
  }

  // A gang takes as long whether there are many iterations or one: that counts where they are long,
  // or may be, or where the loop is one of many.
  void ask_turns(const Worth& worth) {
    const bool counts = outside_.often || may_be_long(*body_) || worth.alone >= kLong;
    if (!counts || gang_.turns || is_tile_ || is_whole(gang_, *body_)) return;
    const int model = int(std::ceil(gang_.width * worth.lanes / worth.alone));
    const int least = std::max({model, int(kFewTurns), gang_.width / kFewOf});
    all_.many = turns_at_least(build_, loop_, least);
    asked_.push_back(fmt::format("where there are {} iterations or more", least));
  }

  // ---- what people are told --------------------------------------------------------------------
  bool refuse(Span at, std::string why, std::string help = {}) {
    all_.verdict = {.why = std::move(why), .at = at, .help = std::move(help)};
    return false;
  }

  // What must hold for it, and in words.
  void require(Expr* e, std::string words) {
    if (!e) return;
    all_.condition = all_.condition ? build_.logical(true, all_.condition, e) : e;
    if (!words.empty()) asked_.push_back(std::move(words));
  }

  bool pays(const Worth& worth, bool straight) {
    if (turns_less(loop_, kFewTurns))
      return refuse(loop_.span, "it turns too few times to fill lanes");
    all_.share = worth.lanes / worth.alone;
    all_.alone = worth.alone;
    if (!worth.matters && !straight && !sums_freely(gang_, f_)) {
      all_.verdict = {"left to the C++ compiler", kStraight};
      return false;
    }
    if (!worth.pays)
      refuse(loop_.span,
             fmt::format("lanes would not be faster: an iteration takes about {:.0f} cycles alone "
                         "and {:.0f} as one of {}",
                         rounded(worth.alone), rounded(worth.lanes), gang_.width),
             "`--gang 16` does it all the same, to measure");
    return worth.pays;
  }

  void describe(const Shape& shape) {
    std::set<std::string> in_vectors, alone;
    ir::for_each_expr_in(std::as_const(*body_), [&](const Expr* e) {
      const auto* call = ir::try_as<ir::Builtin>(e);
      if (!call || call->row->module() == "builtins" || !shape.varies(e)) return;
      (has_vector_form(*call, gang_.forms) ? in_vectors : alone).emplace(call->row->name);
    });
    std::vector<std::string> said = asked_;
    if (!in_vectors.empty())
      said.push_back(fmt::format("{} in vectors", fmt::join(in_vectors, ", ")));
    if (!alone.empty())
      said.push_back(fmt::format("{} one lane after the other", fmt::join(alone, ", ")));
    if (gang_.failed) said.push_back("one by one again where an iteration raises");
    all_.verdict = {fmt::format("{} iterations side by side", gang_.width),
                    fmt::format("{}", fmt::join(said, "; "))};
  }

  // ---- the body of one iteration ---------------------------------------------------------------
  bool copies() {
    if (!ir::is_int_const(loop_.step, 1) || loop_.form == ir::LoopForm::kRange)
      return refuse(loop_.span, "it does not count up by one");
    if (loop_.index->type != types::int64())
      return refuse(loop_.span, "its variable is of type " + types::print(loop_.index->type),
                    "lanes count in int64: give `range` an int64");
    if (!loop_.last_private.empty()) return is_read_behind(loop_.last_private.front());
    if (ir::has_exit(*loop_.body, &loop_))
      return refuse(exit_of(loop_), "it may be left early: later iterations hang on earlier ones");
    ir::Cloner cloner(program_);
    gang_.first = cloner.renew(loop_.index, f_);
    gang_.index = cloner.renew(loop_.index, f_);
    gang_.turns = constant_turns(loop_);
    for (const ir::Reduction& r : loop_.reductions) cloner.map(r.local, r.local);
    take_sums(f_, gang_, loop_, effects_, !strict_fp_, cloner);
    cloner.renew_assigned(*loop_.body, f_);
    body_ = cloner.block(*loop_.body);
    if (const ir::Call* call = inline_calls(program_, f_, *body_))
      return refuse(call->span, fmt::format("`{}` cannot be made part of the loop: it prints, "
                                            "calls itself or is too long",
                                            call->callee->name.str()));
    continues_in_lanes(program_, *body_);
    body_ = end_turns(build_, loop_, body_);
    forward_rows(program_, f_, *body_);
    split_tuples(program_, f_, *body_);
    split_complexes(program_, f_, *body_);
    if (outside_.one_core) choose_stores(program_, *body_);
    unroll_pixels(program_, *body_);
    own_ = own_arrays(program_, f_, *body_, gang_.index);
    lift_loads(program_, f_, *body_, gang_.index, loop_, own_.locals);
    read_once(program_, f_, *body_);
    for (const Local* local : ir::assigned_in(*body_))
      if (local->maybe_unbound)
        return refuse(place_of(local, loop_), named(local) + " may have no value where it is read");
    draws_ = draws(*body_) && seeds_nothing(f_) && draw_ahead(program_, f_, *body_);
    if (draws_)
      require(build_.builtin(builtins::Id::lanes_unseeded, types::boolean(), {}),
              "where no seed is set");
    return !has_something_each();
  }

  bool is_read_behind(const Local* local) {
    return refuse(place_of(local, loop_), named(local) + " is read behind the loop");
  }

  // Arrays of every iteration's own, and random numbers: lanes have them in common.
  bool has_something_each() {
    if (!own_.why.empty()) return !refuse(own_.at, own_.why, kOwnArray);
    bool found = false;
    const auto look = [&](const Expr* e) {
      const auto* call = ir::try_as<ir::Builtin>(e);
      const bool draws = call && !call->row->is_pure();
      const bool makes = call && call->type->is_array();
      if (found || (!draws && !makes)) return;
      found = true;
      if (makes)
        refuse(e->span, "every iteration makes an array of its own", kOwnArray);
      else
        refuse(e->span, fmt::format("`{}` has effects beside its value", call->row->name));
    };
    ir::for_each_stmt(std::as_const(*body_), [&](const Stmt* s) {
      if (s->kind == StmtKind::kEach) return;
      ir::for_each_expr(s, [&](const Expr* e) { ir::for_each_subexpr(e, look); });
    });
    return found;
  }

  ir::LocalSet shared() const {
    ir::LocalSet out;
    for (const Gathered& g : gang_.gathered) out.insert(g.reduction.local);
    return out;
  }

  // ---- may it be done? -------------------------------------------------------------------------
  // Iterations hand nothing on but sums, and what is read behind the loop is one of them.
  bool are_private() {
    const ir::LocalSet sums = shared();
    const Flow flow = flow_of(*body_);
    for (const Local* local : ir::assigned_in(*body_))
      if (!sums.contains(local) && !gang_.is_extreme(local) && flow.exposes(local))
        return refuse(place_of(local, loop_),
                      named(local) + " is handed from one iteration to the next");
    ir::LocalSet assigned = ir::assigned_in(*loop_.body);
    for (const Extreme& e : gang_.extremes) assigned.erase(e.own);
    for (const Local* local : outside_.read_behind)
      if (!sums.contains(local) && assigned.contains(local)) return is_read_behind(local);
    for (const Gathered& g : gang_.gathered)
      if (!g.any_order && !adds_once(*body_, g.reduction.local))
        return refuse(place_of(g.reduction.local, loop_),
                      named(g.reduction.local) +
                          " adds up numbers whose order counts, several in an iteration",
                      "`prange` with parallel=True or `fastmath=True` allow another order");
    return true;
  }

  bool is_independent() {
    gang_.is_apart = is_tile_;
    if (loop_.loop == ir::LoopKind::kParallel || is_tile_) return true;  // it is known
    auto* one = program_.make<ir::For>(loop_);
    one->index = gang_.index;
    one->body = body_;
    const Iterations iterations(*one, effects_, own_.locals);
    require(take_wraps(build_, *one, iterations), "where no subscript counts from the end");
    TouchedArrays arrays = touched_by(*body_);
    const auto own = [&](const Local* array) { return own_.locals.contains(array); };
    std::erase_if(arrays.stored, own);
    std::erase_if(arrays.all, own);
    const ir::LocalSet assigned = ir::assigned_in(*body_);
    const bool fixed = std::ranges::none_of(
        arrays.all, [&](const Local* array) { return assigned.contains(array); });
    const bool asks = arrays.known && fixed;
    if (!iterations.are_independent(false) && !(asks && iterations.are_independent(true))) {
      const auto distances = asks ? iterations.independent_where() : std::nullopt;
      all_.verdict = meeting(*body_, iterations, loop_.span);
      if (!distances) return false;
      require(far_apart(build_, *one, *distances), "where it turns too few times to meet itself");
      gang_.is_far = true;
    }
    if (asks)
      require(apart(build_, arrays, effects_),
              "where no array that it writes shares memory with another");
    gang_.is_apart = asks;
    return true;
  }

  // if n == 0: raise …   ->   asked in front, of what all iterations have in common
  void take_checks() {
    std::string words = "where what all iterations have in common raises nothing";
    for (Expr* condition : take_common_checks(program_, *body_, gang_.index)) {
      gang_.asks_ahead = true;
      require(build_.negated(condition), std::exchange(words, ""));
    }
  }

  // …what may raise…; …stores…   ->   failed = False
  //                                   while true: …raise: failed = True; break…; break
  //                                   …stores…
  bool raises_first() {
    const auto has = [&](const Stmt* s, auto&& is) {
      bool found = is(s);
      ir::for_each_block(s, [&](const Block& b) {
        ir::for_each_stmt(b, [&](const Stmt* inner) { found = found || is(inner); });
      });
      return found;
    };
    const auto raises = [](const Stmt* s) { return s->kind == StmtKind::kRaise; };
    const ir::LocalSet sums = shared();
    const auto acts = [&](const Stmt* s) {
      bool stores = false;
      ir::for_each_place(s, [&](const ir::Place& place) {
        stores = stores || !(place.local || own_.locals.contains(ir::loaded(place.array)));
      });
      ir::for_each_local(s, [&](const Local* local, ir::Access access) {
        stores = stores || (access != ir::Access::kRead && sums.contains(local));
      });
      return stores;
    };
    size_t first = body_->size();
    while (first > 0 && !has((*body_)[first - 1], raises)) --first;
    if (first == 0) return true;
    if (draws_)
      return refuse(loop_.span, "it may raise, and would draw other random numbers a second time");
    Block* may_raise = build_.block();
    may_raise->assign(body_->begin(), body_->begin() + static_cast<long>(first));
    for (const Stmt* s : *may_raise)
      if (has(s, acts))
        return refuse(s->span, "an iteration writes before it may raise",
                      "compute first, write at the end");
    // An iteration behind one that raises is not reached by the source.
    if (loop_.loop == ir::LoopKind::kSerial) {
      const auto inside = is_inside(build_, loop_, gang_.index, *may_raise);
      if (!inside)
        return refuse(loop_.span,
                      "it may raise, and what a later iteration reads may not be there");
      require(*inside, "where no array ends before the loop does");
    }
    gang_.failed = temp("failed", types::boolean());
    auto* once = build_.stmt<ir::While>(build_.boolean(true), may_raise);
    ir::replace_stmts(*may_raise, [&](Stmt* s, Block& out) {
      if (s->kind != StmtKind::kRaise) return false;
      const ir::Builder b{program_, s->span};
      out.push_back(b.assign(gang_.failed, b.boolean(true)));
      out.push_back(b.stmt<ir::Break>(once));
      return true;
    });
    if (!ir::ends(*may_raise)) may_raise->push_back(build_.stmt<ir::Break>(once));
    Block all{build_.assign(gang_.failed, build_.boolean(false)), once};
    gang_.commits = all.size();
    all.insert(all.end(), body_->begin() + static_cast<long>(first), body_->end());
    *body_ = std::move(all);
    abandoned_ = once;
    return true;
  }

  // ---- the whole -------------------------------------------------------------------------------
  Local* temp(std::string_view name, const types::Type* type) {
    f_.locals.push_back(build_.temp(name, type));
    return f_.locals.back();
  }

  // for (i = lo; i < hi; ++i) …as in the source…
  ir::For* one_by_one(Expr* lo, Expr* hi) {
    ir::Cloner cloner(program_);
    for (const Gathered& g : gang_.gathered) cloner.map(g.reduction.local, g.reduction.local);
    for (const Extreme& e : gang_.extremes) cloner.map(e.own, e.own);
    Local* index = cloner.renew(loop_.index, f_);
    cloner.renew_assigned(*loop_.body, f_);
    Block* body = cloner.block(*loop_.body);
    auto* again =
        build_.stmt<ir::For>(index, lo, hi, build_.integer(1), ir::LoopKind::kSerial, body);
    ir::for_each_stmt(*body, [&](Stmt* s) {
      if (auto* jump = ir::try_as<ir::Continue>(s); jump && jump->loop == &loop_)
        jump->loop = again;
    });
    return again;
  }

  // The gang's iterations: first to first + count.
  Block* redo() {
    Expr* count =
        build_.expr<ir::Convert>(types::int64(), ir::ConvertOp::kExact, build_.load(gang_.count));
    Expr* end = build_.plain(types::BinaryOp::kAdd, build_.load(gang_.first), count);
    return build_.block({one_by_one(build_.load(gang_.first), end)});
  }

  ir::For* make(const Shape& shape) {
    if (!is_whole(gang_, *body_)) gang_.count = temp("count", types::int32());
    const ir::Const* lo = ir::constant(loop_.lo);
    gang_.small_start = lo && std::abs(lo->value.integer) < (int64_t{1} << 51);
    gang_.is_natural = lo && lo->value.integer >= 0;
    if (gang_.failed) gang_.redo = redo();
    // What lanes have in common too: f(x[0], y) and f(y, x[0]) are the same to the last bit.
    ir::for_each_expr_in(*body_, [&](Expr* e) {
      if (e->kind == ir::ExprKind::kBuiltin) use_own_form(e, gang_.forms);
    });
    Span blocker{};
    Block* lanes = gang_of(program_, f_, gang_, shape, *body_, blocker);
    if (!lanes) {
      refuse(blocker,
             "this has no form for lanes: complex numbers, tuples, rows of arrays, prints");
      return nullptr;
    }
    store_lanes(program_, *lanes, gang_);
    for (const auto& [array, rows] : make_panels(program_, f_, gang_, *lanes, is_tile_)) {
      all_.is_dense = true;
      asked_.push_back(fmt::format("rows of {} side by side where {} iterations or more load them",
                                   named(array), rows));
    }
    if (!gang_.interleaved.empty()) lanes = knowing_rows(program_, f_, gang_, lanes);
    ir::Cloner cloner(program_);
    Expr* end = cloner.expr(loop_.hi);
    if (ir::reads_memory(end) || ir::reads_any(end, ir::assigned_in(*loop_.body)))
      end = kept("end", end);
    auto* made = program_.make<ir::For>(without_lanes(loop_));
    made->index = gang_.first;
    made->lo = cloner.expr(loop_.lo);
    made->hi = end;
    made->step = build_.integer(gang_.width);
    if (gang_.count && may_step_over(*made, outside_.limits)) made->form = ir::LoopForm::kRange;
    made->body = lanes;
    made->keeps_error = loop_.keeps_error && effects_.of(*lanes).raises;
    if (made->schedule == ir::Schedule::kSmall) made->schedule = ir::Schedule::kOneByOne;
    const bool hands_on = gang_.is_dense && !is_tile_ && hands_on_inside(*lanes);
    if (!gang_.count) {
      const int64_t least = std::max(2 * int64_t{gang_.width}, only_adds_ ? kShortSum : 0);
      require(turns_at_least(build_, loop_, least),
              fmt::format("where it turns {} times or more", least));
    } else if (hands_on) {
      Expr* width = build_.integer(gang_.width, types::int32());
      lanes->insert(lanes->begin(), build_.assign(gang_.count, width));
    }
    if (!gang_.count || hands_on) {  // what is behind whole gangs runs one by one
      Expr* whole = whole_groups(build_, made->lo, end, gang_.width);
      made->hi = kept(std::string(loop_.index->name.str()) + "_rest", whole);
      behind_.push_back(one_by_one(cloner.expr(made->hi), cloner.expr(end)));
      return made;
    }
    Expr* left = build_.plain(types::BinaryOp::kSub, cloner.expr(end), build_.load(gang_.first));
    if (is_tile_ || (gang_.is_dense && counts_inside(*lanes))) {
      made->body = build_.block({build_.stmt<ir::Gang>(gang_.count, left, gang_.width, lanes)});
    } else {
      lanes->insert(lanes->begin(), build_.assign(gang_.count, at_most(build_, gang_.width, left)));
    }
    return made;
  }

  Expr* kept(std::string_view name, Expr* value) {
    Local* local = temp(name, types::int64());
    before_.push_back(build_.assign(local, value));
    return build_.load(local);
  }

  ir::Program& program_;
  ir::Function& f_;
  ir::For& loop_;
  const ir::EffectAnalysis& effects_;
  const Outside outside_;
  const bool is_tile_;
  const ir::Builder build_;
  Gang gang_{};
  OwnArrays own_{};
  bool strict_fp_ = false;
  bool only_adds_ = false;  // sums that C++ compilers make vectors of as well
  bool draws_ = false;      // random numbers
  Block* body_ = nullptr;
  GangLoop all_{};
  std::vector<std::string> asked_{};  // what the condition asks, in words
  const Stmt* abandoned_ = nullptr;
  Block before_{}, behind_{};  // what comes in front of the loop, and behind it
};

}  // namespace

GangLoop gang_loop(ir::Program& program, ir::Function& f, ir::For& loop,
                   const ir::EffectAnalysis& effects, const Outside& outside,
                   const Options& options, bool straight) {
  return Region(program, f, loop, effects, outside, false).run(options, straight);
}

GangLoop gang_of_tile(ir::Program& program, ir::Function& f, ir::For& loop,
                      const ir::EffectAnalysis& effects, const Options& options) {
  return Region(program, f, loop, effects, {}, true).run(options, false);
}

}  // namespace pyk2cu::emit
