// Loops whose iterations part, or loop themselves, run W of them side by side: gangs.
//
//   for i in range(n): …                     independent iterations
//   ->
//   const bool apart = disjoint(out, a);     where it is not known
//   if (apart) for (i = 0; i < n; i += W) { const int count = min(W, n - i); …lanes… }
//   else       for (i = 0; i < n; ++i) …
//
// A loop whose ends are special has gangs in its middle:
//
//   begin, end = …
//   for side in range(2):
//     if side == 1: …gangs of begin to end…
//     for i in range(side == 0 ? 0 : end, side == 0 ? begin : n): …
//
// When a lane raises, before anything was stored, the gang's iterations run again, one by one.
// The innermost loop that can be one is. Straight loops are left to lanes.cpp.
// In: functions.  Out: loops over gangs. Tested by tests/golden/gangs, tests/run/test_gangs.py.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "emit/lower/apart.h"
#include "emit/lower/interval.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lanes/borders.h"
#include "emit/lower/lanes/chosen.h"
#include "emit/lower/lanes/chosen_values.h"
#include "emit/lower/lanes/crossing.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/region.h"
#include "emit/lower/lanes/row_sums.h"
#include "emit/lower/lanes/tile.h"
#include "emit/lower/lower.h"
#include "emit/lower/scalars.h"
#include "emit/lower/totals.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr double kClear = 1.25;       // from here on one share is better than another
constexpr double kRowsShare = 0.3;    // of several rows at a time
constexpr double kMiddleAlone = 1.5;  // of a middle that is no gang
constexpr double kEnds = 1.1;         // of a middle, which turns more often than its ends
constexpr int64_t kWide = 4096;       // iterations of a border that are worth several cores

// Who made loops ones for vector registers: nobody, C++ compilers will, we did.
enum class Filled : uint8_t { kNone, kStraight, kMade };

// Sums that totals makes side by side, and nothing that lanes have a form of.
bool adds_in_parts(const ir::For& loop) {
  return !summed_freely(loop).empty() && !differs_in_lanes(*loop.body);
}

// Does an iteration raise by what it adds up? Strips of checks know no more than what one
// statement computes.
bool checks_sums(const ir::For& loop) {
  const auto times = ir::count_assignments(*loop.body);
  return std::ranges::any_of(*loop.body, [&](const Stmt* s) {
    if (!is_check(s)) return false;
    bool found = false;
    ir::for_each_subexpr(ir::as<ir::If>(s)->condition, [&](const Expr* e) {
      const auto at = times.find(ir::loaded(e));
      found = found || (at != times.end() && at->second > 1);
    });
    return found;
  });
}

// Who calls a function: no core beside another one; other functions.
struct Callers {
  bool one_core = false, functions = false;
};

// Of the loop around that gains most.
struct Gain {
  double share = std::numeric_limits<double>::infinity();
  bool is_dense = false;             // the elements that its lanes load lie side by side
  const ir::For* windows = nullptr;  // the loop, if its middle was taken: windows in it are short

  // Is it worth more than several rows at a time, by so much? What stands outside by more.
  bool is_quick(double clear) const { return is_dense && clear * share < kRowsShare; }
};

class Gangs {
 public:
  Gangs(Lowering& lowering, ir::Function& f, const Callers& callers)
      : program_(lowering.program),
        f_(f),
        options_(lowering.options),
        notes_(lowering.notes),
        effects_(f),
        behind_(f.body),
        extents_(f),
        callers_(callers) {
    block(f.body);
  }

 private:
  // Is a loop in it, at any depth, for vector registers now?
  Filled block(Block& b) {
    Filled all = Filled::kNone;
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      auto* loop = ir::try_as<ir::For>(s);
      if (loop) choose(*loop);
      const Stmt* made = loop ? tiled(b, *loop) : nullptr;
      const bool fills = loop && !made && fills_lanes(*loop, effects_);
      if (fills && (has_angles(*loop) || checks_sums(*loop) || has_ways(*loop->body)))
        made = gang(b, s);
      const bool sums = loop && !made && counts(*loop, effects_);
      if ((fills && !made) || sums) made = chosen_at_ends(b, *loop);
      if (fills && !made && !Iterations(*loop, effects_).are_independent(true))
        made = crossed(b, *loop);
      const bool straight = !made && (fills || sums);
      Gain own;
      const Filled inside = made || straight ? Filled::kNone : in_nest(b, s, own);
      if (loop && !made && !straight && !own.is_quick(1)) made = rows_at_a_time(b, *loop, false);
      const bool adds = loop && adds_in_parts(*loop);
      if (loop && !made && !straight && !adds && inside == Filled::kNone) made = gang(b, s);
      if (loop && !made && !straight) made = rows_at_a_time(b, *loop, true);
      if (loop && !made && !straight && inside == Filled::kNone) made = in_scalars(b, *loop);
      if (straight) leave_straight(*loop);
      if (inside != Filled::kNone && ir::is_loop(s) && !made)
        note(*s, {.why = "the loops inside fill the vectors"});
      if (s->kind == StmtKind::kWhile && inside == Filled::kNone)
        note(*s, {.why = "how often it turns is not known before"});
      all = std::max({all, inside,
                      made       ? Filled::kMade
                      : straight ? Filled::kStraight
                                 : Filled::kNone});
      // A condition may have been put in front.
      const Stmt* stands = made ? made : s;
      k = static_cast<size_t>(std::find(b.begin() + long(k), b.end(), stands) - b.begin());
    }
    return all;
  }

  // Stores without branches, where that makes straight code of it.
  void choose(ir::For& loop) {
    const bool asks = std::ranges::any_of(*loop.body, [](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      return branch && branch->body->size() == 1 && branch->body->front()->kind == StmtKind::kStore;
    });
    if (!asks || !callers_.one_core) return;
    auto* copy = ir::as<ir::For>(ir::Cloner(program_).stmt(&loop));
    if (!choose_stores(program_, *copy->body) || !fills_lanes(*copy, effects_)) return;
    if (Iterations(*copy, effects_).are_independent(true)) loop.body = copy->body;
  }

  // Of nested loops the one that gains most is for vectors, of about equals the inner one.
  Filled in_nest(Block& b, Stmt* s, Gain& own) {
    auto* loop = ir::try_as<ir::For>(s);
    const auto is_for = [](const Stmt* inner) { return inner->kind == StmtKind::kFor; };
    if (!loop || !ir::any_stmt(*loop->body, is_for)) return nested(b, s);
    const Gain outer = best_;
    const size_t locals = f_.locals.size();
    const auto [region, middle] = best_of(*loop);
    f_.locals.resize(locals);
    if (region.block) own = {region.share, region.is_dense, middle ? loop : nullptr};
    if (own.share < best_.share) best_ = own;
    const Filled inside = nested(b, s);
    best_ = outer;
    // What C++ compilers do with those inside is part of its share.
    return region.block && inside == Filled::kStraight ? Filled::kNone : inside;
  }

  // Straight code is left to the C++ compiler, unless a loop around it would take its place.
  GangLoop region_of(ir::For& loop, const ir::LocalSet& read_behind) {
    const bool is_nested = best_.share < std::numeric_limits<double>::infinity();
    return gang_loop(program_, f_, loop, effects_, outside(read_behind), options_, is_nested);
  }

  // `read_behind`: variables, when the loop is over.
  Outside outside(ir::LocalSet read_behind, Limits limits = {}) const {
    return {.extents = &extents_,
            .read_behind = std::move(read_behind),
            .around = fixed_,
            .limits = std::move(limits),
            .one_core = callers_.one_core,
            .often = callers_.functions || !around_.empty()};
  }

  struct Best {
    GangLoop region{};
    std::optional<Middle> middle{};  // that it is of; none: of the whole loop as it stands
  };
  Best best_of(ir::For& loop) { return best_of(loop, behind_.of(&loop)); }
  Best best_of(ir::For& loop, const ir::LocalSet& read_behind) {
    Best best{region_of(loop, read_behind)};
    const size_t known = f_.locals.size();
    const ir::LocalSet later = handed_on(loop, read_behind);
    const std::optional<Middle> middle = middle_of(program_, f_, loop, extents_, later);
    GangLoop inside = middle ? inside_of(*middle, later) : GangLoop{};
    const double share = best.region.block ? best.region.share : 1;
    if (inside.alone > 0 && best.region.alone > 0) {
      // Without what the ends ask for.
      const double part = std::min(1.0, inside.alone / best.region.alone);
      if (inside.block) inside.share *= part;
      const bool is_inner = !ir::any_stmt(*loop.body, [](const Stmt* s) { return ir::is_loop(s); });
      if (!inside.block && is_inner && part * kMiddleAlone < share)
        by_itself(*middle, inside, part);
    }
    if (inside.block && (!best.region.block || inside.share * kEnds < share))
      return {inside, middle};
    f_.locals.resize(known);
    return best;
  }

  // The middle, one iteration after the other.
  void by_itself(const Middle& middle, GangLoop& inside, double share) const {
    inside = {.block = program_.make<Block>(Block{middle.loop}),
              .condition = middle.is_whole() ? middle.condition : nullptr,
              .share = share,
              .verdict = {.why = "its middle apart from its ends"}};
  }

  // What the middle of a loop becomes, whose ends are special. The iterations behind it read what
  // it hands on.
  GangLoop inside_of(const Middle& middle, const ir::LocalSet& handed_on) {
    GangLoop region = gang_loop(program_, f_, *middle.loop, effects_,
                                outside(handed_on, middle.limits), options_, true);
    // What is the same for all lanes they ask once.
    const ir::LocalSet own = own_of(*middle.loop);
    const bool asks = ir::any_stmt(*middle.loop->body, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      return branch && !ir::reads_memory(branch->condition) &&
             !ir::reads_any(branch->condition, own);
    });
    const bool is_straight = (fills_lanes(*middle.loop, effects_) &&
                              Iterations(*middle.loop, effects_).are_independent(true)) ||
                             counts(*middle.loop, effects_);
    if (!(asks && region.block) && is_straight) {
      region.block = program_.make<Block>(Block{middle.loop});
      region.condition = region.many = nullptr;
      region.verdict = {"vectors", kStraight};
    }
    if (middle.is_whole()) {
      const ir::Builder build{program_, middle.loop->span};
      if (middle.condition && region.condition)
        region.condition = build.logical(true, middle.condition, region.condition);
      else if (middle.condition)
        region.condition = middle.condition;
      return region;
    }
    const std::string more = region.verdict.why.empty() ? "" : "; " + region.verdict.why;
    region.verdict.why = "in the middle, its ends one by one" + more;
    return region;
  }

  static ir::LocalSet handed_on(const ir::For& loop, ir::LocalSet read_behind) {
    ir::LocalSet all = std::move(read_behind);
    flow_of(*loop.body).for_each([&](const Local* local, int uses) {
      if (uses & Flow::kExposed) all.insert(local);
    });
    return all;
  }

  Filled nested(Block& b, Stmt* s) {
    Filled all = Filled::kNone;
    const bool is_loop = ir::is_loop(s);
    const size_t fixed = fixed_.size();
    if (is_loop) around_.push_back({&b, s});
    if (auto* loop = ir::try_as<ir::For>(s); loop && has_fixed_ends(*loop)) fixed_.push_back(loop);
    const auto inside = [&](Block& inner) { all = std::max(all, block(inner)); };
    if (auto* branch = ir::try_as<ir::If>(s); branch && branch->versions) {
      inside(*branch->body);
      notes_.of_slower([&] { inside(*branch->orelse); });
    } else {
      ir::for_each_block(s, inside);
    }
    if (is_loop) around_.pop_back();
    fixed_.resize(fixed);
    return all;
  }

  // Is what they say still so while it turns?
  static bool has_fixed_ends(const ir::For& loop) {
    const ir::LocalSet assigned = ir::assigned_in(*loop.body);
    return !ir::reads_any(loop.lo, assigned) && !ir::reads_any(loop.hi, assigned);
  }

  // What stands now where the loop stood; null: the loop.
  const Stmt* gang(Block& b, Stmt* s) {
    auto& loop = *ir::as<ir::For>(s);
    const size_t locals = f_.locals.size();
    const auto [region, middle] = best_of(loop);
    if (!region.block)
      if (const Stmt* made = crossed(b, loop)) return made;
    const bool is_short = best_.windows && is_window(loop, *best_.windows);
    if (!region.block || is_short || region.share > kClear * best_.share) {
      note(loop, region.block ? Verdict{.why = "the loop around it gains more"} : region.verdict);
      f_.locals.resize(locals);
      return nullptr;
    }
    note(loop, region.verdict);
    ir::for_each_stmt(*loop.body, [&](const Stmt* inner) {
      if (ir::is_loop(inner)) note(*inner, {"in these lanes"});
    });
    if (middle && !middle->is_whole()) return around(b, loop, *middle, region);
    return instead(b, loop, *region.block, region.condition, region.many);
  }

  // Elements that stay while the loop turns, in variables, where that makes lanes of it: what
  // stands now where the loop stood; null: the loop.
  const Stmt* in_scalars(Block& b, ir::For& loop) {
    const size_t locals = f_.locals.size();
    const auto made = in_variables(program_, f_, loop, effects_, around_, behind_);
    Best best;
    if (made && !made->sums_rarely && !counts(*made->loop, effects_))
      best = best_of(*made->loop, made->read_behind);
    const GangLoop& region = best.region;
    if (!region.block || region.share > kClear * best_.share) {
      f_.locals.resize(locals);
      return nullptr;
    }
    note(loop, region.verdict);
    if (best.middle && !best.middle->is_whole())
      around(*made->block, *made->loop, *best.middle, region);
    else
      instead(*made->block, *made->loop, *region.block, region.condition, region.many);
    return emit::instead(program_, f_, b, loop, *made, around_);
  }

  // Straight code that chooses at the ends of the loop alone, or whose subscripts may count from
  // the end, without that in its middle: what stands now where the loop stood; null: the loop.
  const Stmt* chosen_at_ends(Block& b, ir::For& loop) {
    const int choices = choices_in(loop);
    if (choices == 0) return nullptr;
    const size_t locals = f_.locals.size();
    const ir::LocalSet later = handed_on(loop, behind_.of(&loop));
    const std::optional<Middle> middle = middle_of(program_, f_, loop, extents_, later);
    const bool fewer = middle && choices_in(*middle->loop) < choices;
    if (!fewer || (!fills_lanes(*middle->loop, effects_) && !counts(*middle->loop, effects_))) {
      f_.locals.resize(locals);
      return nullptr;
    }
    const GangLoop inside = inside_of(*middle, later);
    note(loop, inside.verdict);
    if (!middle->is_whole()) return around(b, loop, *middle, inside);
    return instead(b, loop, *inside.block, inside.condition, inside.many);
  }

  // By which iteration it is.
  static int choices_in(const ir::For& loop) {
    int choices = 0;
    ir::for_each_stmt(*loop.body, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      choices += branch && ir::reads(branch->condition, loop.index);
    });
    ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
      const auto* select = ir::try_as<ir::Select>(e);
      choices += select && ir::reads(select->condition, loop.index);
      if (const auto* element = ir::try_as<ir::Element>(e))
        choices += std::ranges::any_of(element->indices, [&](const ir::Index& i) {
          return i.wrap && ir::reads(i.value, loop.index);
        });
    });
    return choices;
  }

  // Lanes in front of the one iteration that writes what all read, and behind it: what stands now
  // where the loop stood; null: the loop.
  const Stmt* crossed(Block& b, ir::For& loop) {
    const size_t locals = f_.locals.size();
    const ir::LocalSet later = handed_on(loop, behind_.of(&loop));
    const auto hands_on = [&](const Local* local) { return later.contains(local); };
    if (std::ranges::any_of(ir::assigned_in(*loop.body), hands_on)) return nullptr;
    const std::optional<Crossing> crossing = crossing_of(program_, f_, loop);
    if (crossing && callers_.one_core) choose_stores(program_, *crossing->part->body);
    if (!crossing || !fills_part(*crossing->part)) {
      f_.locals.resize(locals);
      return nullptr;
    }
    note(loop,
         {"vectors",
          std::string("before and behind the iteration that writes what all read; ") + kStraight});
    return instead(b, loop, *in_parts(program_, f_, loop, *crossing), nullptr);
  }

  // Straight code, which asks nothing that hangs on where it begins and ends.
  bool fills_part(ir::For& part) const {
    const Iterations iterations(part, effects_);
    if (!fills_lanes(part, effects_) || !iterations.are_independent(true)) return false;
    part.simd = iterations.are_independent(false);
    return true;
  }

  // Puts the block in the middle of the loop, whose iterations keep their order; where it may not
  // stand there, the middle is left to what is behind.
  const Stmt* around(Block& b, ir::For& loop, const Middle& middle, const GangLoop& inside) {
    const ir::Builder build{program_, loop.span};
    Local* small = middle.condition ? ask(b, loop, "small", middle.condition) : nullptr;
    const auto set = [&](Local* local, Expr* value) {
      if (small)
        value = build.expr<ir::Select>(types::int64(), build.load(small), value,
                                       ir::Cloner(program_).expr(loop.hi));
      b.insert(std::ranges::find(b, &loop), build.assign(local, value));
    };
    set(middle.begin, middle.first);
    set(middle.end, middle.last);
    Local* apart = inside.condition ? ask(b, loop, "apart", inside.condition) : nullptr;
    Local* known = apart;
    if (inside.many) {
      Expr* both = known ? build.logical(true, build.load(known), inside.many) : inside.many;
      known = f_.locals.emplace_back(build.temp("many", types::boolean()));
      b.insert(std::ranges::find(b, &loop), build.assign(known, both));
    }
    f_.locals.push_back(build.temp("side", types::int64()));
    Local* side = f_.locals.back();
    const auto is_side = [&](int64_t value) {
      return build.compare(ir::CompareOp::kEq, build.load(side), build.integer(value));
    };
    const auto choose = [&](Expr* test, Expr* yes, Expr* no) {
      return build.expr<ir::Select>(types::int64(), test, yes, no);
    };
    Expr *hi = loop.hi, *rest = build.load(middle.end), *is_middle = is_side(1);
    if (known) {
      rest = choose(build.load(known), rest, build.load(middle.begin));
      is_middle = build.logical(true, is_middle, build.load(known));
    }
    loop.lo = choose(is_side(0), loop.lo, rest);
    loop.hi = choose(is_side(0), build.load(middle.begin), hi);
    if (loop.loop == ir::LoopKind::kParallel) {
      Expr* turns = build.plain(ir::BinaryOp::kSub, ir::Cloner(program_).expr(loop.hi),
                                ir::Cloner(program_).expr(loop.lo));
      Expr* many = build.compare(ir::CompareOp::kGt, turns, build.integer(kWide));
      loop.worth = loop.worth ? build.logical(true, many, loop.worth) : many;
    }
    Block* both = build.block({build.if_(is_middle, inside.block), &loop});
    Stmt* sides = build.stmt<ir::For>(side, build.integer(0), build.integer(2), build.integer(1),
                                      ir::LoopKind::kSerial, both);
    *std::ranges::find(b, &loop) = sides;
    if (middle.is_open && loop.loop == ir::LoopKind::kSerial)
      ends(*both, loop, apart, inside.condition);
    return sides;
  }

  // Where they turn often, of windows about as long as the array, they are gangs as well.
  void ends(Block& b, ir::For& loop, Local* apart, const Expr* asked) {
    const size_t locals = f_.locals.size();
    const ir::Builder build{program_, loop.span};
    for (Expr** bound : {&loop.lo, &loop.hi}) {
      Local* named = build.temp(bound == &loop.lo ? "from" : "to", types::int64());
      b.insert(std::ranges::find(b, &loop), build.assign(f_.locals.emplace_back(named), *bound));
      *bound = build.load(named);
    }
    GangLoop region = region_of(loop, behind_.of(&loop));
    if (!region.block) return f_.locals.resize(locals + 2);
    if (apart && region.condition && ir::equal(region.condition, asked)) {
      Expr* known = build.load(apart);
      region.many = region.many ? build.logical(true, known, region.many) : known;
      region.condition = nullptr;
    }
    instead(b, loop, *region.block, region.condition, region.many);
  }

  // Puts the block where the loop stands, the loop under `else` where it hangs on a condition or on
  // how often it turns. What stands there now, the last statement.
  const Stmt* instead(Block& b, ir::For& loop, Block& by, Expr* condition, Expr* many = nullptr) {
    const ir::Builder build{program_, loop.span};
    Expr* test = condition ? build.load(ask(b, loop, "apart", condition)) : nullptr;
    if (many) test = test ? build.logical(true, test, many) : many;
    const auto at = std::ranges::find(b, &loop);
    if (!test) {
      const Stmt* last = by.back();
      b.insert(b.erase(at), by.begin(), by.end());
      return last;
    }
    return *at = build.versions(test, &by, build.block({&loop}));
  }

  // Whether the condition holds, asked in front of the loop or farther out.
  Local* ask(Block& b, ir::For& loop, const char* name, Expr* condition) {
    around_.push_back({&b, &loop});
    // Part of the condition was asked inside of the loop.
    Local* known = emit::ask(program_, f_, name, anywhere(condition), around_);
    around_.pop_back();
    return known;
  }

  // The last statement that stands now where the nest stood; null: the nest does.
  const Stmt* tiled(Block& b, ir::For& loop) {
    const size_t locals = f_.locals.size();
    std::optional<Tile> made = tile(program_, f_, loop, effects_, behind_.of(&loop));
    GangLoop lanes;
    if (made) lanes = gang_of_tile(program_, f_, *made->lanes, effects_, options_);
    if (!lanes.block) {
      f_.locals.resize(locals);
      return nullptr;
    }
    Block& around = *made->block;
    const auto at = std::ranges::find(around, made->lanes);
    around.insert(around.erase(at), lanes.block->begin(), lanes.block->end());
    Expr* condition = made->condition;
    if (condition)
      lanes.verdict.why = "where no array that it writes shares memory with another" +
                          (lanes.verdict.why.empty() ? "" : "; " + lanes.verdict.why);
    note(*made->lanes, lanes.verdict);
    note(*made->rows,
         {fmt::format("{} iterations at a time", kRows), "they share what lanes load"});
    ir::for_each_stmt(*loop.body, [&](const Stmt* inner) {
      const auto is = [&](const Stmt* one) { return one->span.begin == inner->span.begin; };
      if (ir::is_loop(inner) && !is(made->lanes) && !is(made->rows))
        note(*inner, {"in these lanes"});
    });
    ir::for_each_stmt(made->front, [&](const Stmt* inner) {
      if (ir::is_loop(inner) && inner->span.begin != loop.span.begin)
        note(*inner, {"left to the C++ compiler", kStraight});
    });
    if (lanes.condition)
      condition = condition
                      ? ir::Builder{program_, loop.span}.logical(true, condition, lanes.condition)
                      : lanes.condition;
    return instead(b, loop, *made->nest, condition);
  }

  // The last statement that stands now where the loop stood; null: the loop does.
  const Stmt* rows_at_a_time(Block& b, ir::For& loop, bool alone) {
    const size_t locals = f_.locals.size();
    std::optional<RowSums> made;
    if (!best_.is_quick(kClear))
      made = row_sums(program_, f_, loop, effects_, behind_.of(&loop), alone);
    if (!made) {
      f_.locals.resize(locals);
      return nullptr;
    }
    note(loop, {fmt::format("{} iterations at a time", made->rows),
                "what a turn of the loops inside hands on, others need not wait for"});
    for (const Stmt* inner : made->joined) note(*inner, {"with those of all these iterations"});
    return instead(b, loop, *made->block, made->condition);
  }

  // A gang computes all of them at once.
  bool has_angles(const ir::For& loop) const {
    return !forms_of(options_, f_).libm && asks_angles(*loop.body);
  }

  // C++ compilers make vectors of it.
  void leave_straight(ir::For& loop) {
    const Iterations iterations(loop, effects_);
    if (!iterations.are_independent(true))
      return note(loop, meeting(*loop.body, iterations, loop.span));
    note(loop, {"vectors", kStraight});
    if (behind_.knows(&loop)) choose_values(program_, f_, loop, behind_.of(&loop));
  }

  void note(const Stmt& loop, Verdict verdict) {
    const auto* counted = ir::try_as<ir::For>(&loop);
    if (counted && counted->loop == ir::LoopKind::kParallel) verdict.what += ", on all cores";
    notes_.add(f_, &loop, std::move(verdict));
  }

  ir::Program& program_;
  ir::Function& f_;
  const Options& options_;
  LoopNotes& notes_;
  const ir::EffectAnalysis effects_;
  const ReadBehind behind_;
  const Extents extents_;
  const Callers callers_;
  std::vector<Around> around_{};
  std::vector<ir::For*> fixed_{};  // of these, whose ends do not change in them
  Gain best_{};
};

}  // namespace

void gangs(Lowering& lowering) {
  const auto shared = run_by_cores(lowering.program);
  std::unordered_set<const ir::Function*> called;
  for (const ir::Function* f : lowering.program.functions)
    ir::for_each_expr_in(f->body, [&](const Expr* e) {
      if (const auto* call = ir::try_as<ir::Call>(e)) called.insert(call->callee);
    });
  for (ir::Function* f : std::vector<ir::Function*>(lowering.program.functions))
    if (f->kind == ir::FunctionKind::kHost)
      Gangs(lowering, *f, {!shared.contains(f), called.contains(f)});
}

}  // namespace pyk2cu::emit
