// One of two values by what no processor foresees: both are computed, and one is taken.
//
//   while n != 1:                          while n != 1:
//     if n % 2 == 0: n //= 2          ->     n = n // 2 if n % 2 == 0 else 3 * n + 1   (of both)
//     else:          n = 3 * n + 1
//
//   for m in marks:                        for m in marks:
//     if m != 0:                             taken = m != 0
//       run += 1                      ->     run = run + 1 if taken else 0             (by bits)
//       if run > best: best = run            best = max(best, run if taken else INT64_MIN)
//     else: run = 0
//
//   if x[i - 1] > x[i]: top = False   ->   top = top & !(x[i - 1] > x[i])
//
// Which number is odd, and what the elements of an array are: a branch is missed every other turn,
// and that takes longer than both values. Where addresses or further turns wait for the values, a
// branch that is foreseen is worth more (a binary search): only odd numbers are chosen by there.
// Sums that C++ compilers make vectors of stay as they are. Truths that one side sets are no choice
// at all: of such branches C++ compilers make ways, of `&` and `|` vectors.
//
// In:   functions behind lanes, in their final form.  Out: in loops, Choice::kBoth and kBits, of
// numbers and truths that a few operations without a division compute, from variables and from
// elements that may be read on both sides; `&` and `|`; kPlace, of walks (ways.h). Tested by
// tests/golden/passes/choices.py, tests/run/test_choices.py, tests/run/test_streaks.py and
// tests/run/test_decays.py.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "emit/lower/blends.h"
#include "emit/lower/costs.h"
#include "emit/lower/evaluated.h"
#include "emit/lower/flow.h"
#include "emit/lower/handed_on.h"
#include "emit/lower/inside.h"
#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "emit/lower/parity.h"
#include "emit/lower/sides.h"
#include "emit/lower/ways.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kFew = 4;  // operations of both sides that a missed branch is worth
// In one loop: of each all the rest of its turn is asked what becomes of its variables.
constexpr int kMostBranches = 128;

// Do the statements of a block read such an element in any case?
bool is_read_on(const Block& side, const Expr* element) {
  bool found = false;
  for (const Stmt* s : side)
    ir::for_each_expr(s, [&](const Expr* e) { found = found || is_evaluated_in(e, element); });
  return found;
}

// Is the variable in a product?
bool multiplies(const Expr* e, const Local* local) {
  bool found = false;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<Binary>(part);
    found = found || (b && b->op == BinaryOp::kMul && ir::reads(b, local));
  });
  return found;
}

class Choices {
 public:
  Choices(ir::Program& program, ir::Function& f)
      : program_(program), f_(f), read_behind_(f.body), inside_(program, f) {}

  void run() { block(f_.body, {}); }

 private:
  // Where a branch stands.
  struct Place {
    const Stmt* loop = nullptr;  // the innermost one around it; null: none
    bool has_many = false;       // branches
    // The blocks from the loop's body on, and where in them.
    std::vector<std::pair<const Block*, size_t>> path{};
  };

  void block(Block& b, Place place) {
    place.path.emplace_back(&b, 0);
    for (size_t k = 0; k < b.size(); ++k) {
      place.path.back().second = k;
      if (auto* branch = ir::try_as<ir::If>(b[k]); branch && place.loop && !is_foreseen(*branch)) {
        const std::vector<Stmt*> all = chosen(*branch, place);
        if (!all.empty()) {
          b.erase(b.begin() + ptrdiff_t(k));
          b.insert(b.begin() + ptrdiff_t(k), all.begin(), all.end());
          k += all.size() - 1;
          continue;
        }
      }
      if (Stmt* one = place.loop ? of_select(*b[k], place) : nullptr) b[k] = one;
      const bool turns = b[k]->kind == ir::StmtKind::kFor || b[k]->kind == ir::StmtKind::kWhile;
      auto* counted = ir::try_as<ir::For>(b[k]);
      if (counted) inside_.enter(counted);
      if (b[k]->kind != ir::StmtKind::kLanes)  // which choose side by side
        ir::for_each_block(b[k],
                           [&](Block& inner) { block(inner, turns ? place_in(*b[k]) : place); });
      if (counted) inside_.leave();
    }
  }

  static Place place_in(const Stmt& loop) {
    int branches = 0;
    ir::for_each_block(&loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) { branches += s->kind == ir::StmtKind::kIf; });
    });
    return {.loop = &loop, .has_many = branches > kMostBranches};
  }

  // In place of the branch; nothing: it stays.
  std::vector<Stmt*> chosen(ir::If& s, const Place& place) {
    if (Stmt* one = of_bit(s, place)) return {one};
    if (Stmt* one = one_way(program_, s)) return {one};
    if (place.has_many) return {};
    if (Stmt* one = truth_of(s, place)) return {one};
    if (Stmt* one = count_of(s, place)) return {one};
    return is_of_data(s, *place.loop) ? without_branch(s, place) : std::vector<Stmt*>{};
  }

  // ---- variables -------------------------------------------------------------------------------
  // Does the rest of the turn read the value that it has behind the branch? Not: nor does it hand
  // it on to the next turn, or leave it behind.
  enum class Use : uint8_t { kNone, kRead, kLeft };
  Use use_behind(const Local* local, const Place& place) const {
    bool jumps = false;  // past what follows
    for (size_t level = place.path.size(); level-- > 0;) {
      const auto& [b, k] = place.path[level];
      const Block rest(b->begin() + ptrdiff_t(k) + 1, b->end());
      const Flow flow = flow_of(rest);
      if (flow.exposes(local)) return Use::kRead;
      jumps = jumps || ir::any_stmt(rest, ir::is_jump);
      if (flow.assigns(local) && !jumps) return Use::kNone;
    }
    return Use::kLeft;
  }
  // ... by the next turn, or when the loop is over?
  bool is_left(const Local* local, const Place& place) const {
    const bool shared = std::ranges::find(f_.shared, local) != f_.shared.end();
    return shared || local->is_param || is_carried(local, place) ||
           read_behind_.of(place.loop).contains(local);
  }
  static bool is_carried(const Local* local, const Place& place) {
    return flow_of(*place.path.front().first).exposes(local);
  }

  // Of each block of the branch the variables that nothing else reads before it gives them another
  // value: they may have any value where the block is not taken.
  Own own(const ir::If& s, const Place& place) const {
    using Mentions = std::unordered_map<const Local*, int>;
    const auto count = [](const Block& b) {
      Mentions mentions;
      for (const Stmt* one : b)
        ir::for_each_local_in(one, [&](const Local* local, ir::Access) { ++mentions[local]; });
      return mentions;
    };
    Mentions all;
    ir::for_each_local_in(&s, [&](const Local* local, ir::Access) { ++all[local]; });
    Own own;
    const auto add = [&](const auto& again, const Block& b) -> void {
      const Flow flow = flow_of(b);
      ir::LocalSet& apart = own[&b];
      for (const auto& [local, times] : count(b)) {
        if (!flow.writes(local) || flow.exposes(local) || times != all[local]) continue;
        const Use use = use_behind(local, place);
        if (use == Use::kNone || (use == Use::kLeft && !is_left(local, place))) apart.insert(local);
      }
      for (const Stmt* one : b)
        ir::for_each_block(one, [&](const Block& inner) { again(again, inner); });
    };
    for (const Block* side : {s.body, s.orelse}) add(add, *side);
    return own;
  }

  // Has it a value in front of the branch, wherever the program reads it behind?
  bool has_value(const Local* local, const Place& place) const {
    if (is_carried(local, place)) return true;
    const Use use = use_behind(local, place);
    const auto* loop = ir::try_as<ir::For>(place.loop);
    const bool is_serial = !loop || loop->loop == ir::LoopKind::kSerial;
    return use == Use::kRead || (use == Use::kLeft && is_serial && is_left(local, place));
  }

  std::vector<Stmt*> without_branch(const ir::If& s, const Place& place) {
    const size_t locals = f_.locals.size();
    auto& copy = *ir::as<ir::If>(ir::Cloner(program_).stmt(&s));
    const Own apart = own(copy, place);
    std::vector<Stmt*> all = Blends(program_, f_, apart).both_sides(copy);
    bool reads = true;  // only what has a value
    const Flow before = flow_of(&s);
    flow_of(Block(all.begin(), all.end())).for_each([&](const Local* local, int uses) {
      const bool is_new = (uses & Flow::kExposed) && !before.exposes(local);
      reads = reads && (!is_new || has_value(local, place));
    });
    if (reads && place.path.size() > 1) std::ranges::for_each(all, keep_zero);
    if (reads) return all;
    f_.locals.resize(locals);
    return {};
  }

  // x = x + (y if taken else -0.0), under another condition: where that does not hold, g++ 12 adds
  // 0.0 in a loop that it makes vectors of, and so another zero to -0.0.
  static void keep_zero(Stmt* s) {
    const auto* a = ir::try_as<ir::Assign>(s);
    auto* sum = a ? ir::try_as<Binary>(a->value) : nullptr;
    if (sum && sum->op == BinaryOp::kAdd && sum->type->is_float() &&
        ir::loaded(sum->left) == a->local)
      sum->in_order = true;
  }

  // ---- truths ----------------------------------------------------------------------------------
  // if c: flag = false   ->   flag = flag & !c; null: it does something else.
  Stmt* truth_of(const ir::If& s, const Place& place) const {
    if (s.body->size() != 1 || !s.orelse->empty() || ir::has_effect(s.condition)) return nullptr;
    const auto* a = ir::try_as<ir::Assign>(s.body->front());
    const ir::Const* value = a ? ir::constant(a->value) : nullptr;
    if (!value || !a->local->type->is_bool() || a->local->lanes != 0 || a->local->maybe_unbound)
      return nullptr;
    if (!has_value(a->local, place)) return nullptr;
    const ir::Builder b{program_, s.span};
    const bool is_set = value->value.integer != 0;
    return b.assign(a->local, b.plain(is_set ? BinaryOp::kOr : BinaryOp::kAnd, b.load(a->local),
                                      is_set ? s.condition : b.negated(s.condition)));
  }

  // if c: n += 1   ->   n += c, of a counter that begins anew in every turn; null: it does
  // something else. As many bits as truths have, where there are vectors of those.
  Stmt* count_of(const ir::If& s, const Place& place) const {
    if (s.body->size() != 1 || !s.orelse->empty() || ir::has_effect(s.condition)) return nullptr;
    const auto* u = ir::try_as<ir::Update>(s.body->front());
    const bool is_counter =
        u && u->place.local && u->place.local->type->is_int() && u->place.local->lanes == 0;
    const bool counts = is_counter && !u->atomic &&
                        (u->op == BinaryOp::kAdd || u->op == BinaryOp::kSub) &&
                        u->value->type->is_int() && ir::is_int_const(u->value, 1);
    if (!counts || is_carried(u->place.local, place)) return nullptr;
    auto* one = ir::as<ir::Update>(ir::Cloner(program_).stmt(u));
    one->value = ir::Builder{program_, s.span}.expr<ir::Convert>(
        u->value->type, ir::conversion(types::boolean(), u->value->type), s.condition);
    return one;
  }

  // ---- by what arrays hold ---------------------------------------------------------------------
  bool is_of_data(const ir::If& s, const Stmt& loop) {
    const auto* counted = ir::try_as<ir::For>(&loop);
    if (!counted || counted->simd || s.body->empty() || ir::has_effect(s.condition)) return false;
    Sides sides{s.condition, [&](const ir::Element& e) {
                  return (is_read_on(*s.body, &e) && is_read_on(*s.orelse, &e)) || inside_(e);
                }};
    for (const Block* side : {s.body, s.orelse})
      for (Stmt* one : *side)
        if (!is_simple(one, sides)) return false;
    if (sides.operations > 2 * kFew || (s.orelse->empty() && sides.keeps)) return false;
    return hangs_on_data(s.condition, loop) && !steer(sides.assigned, loop, s, s.condition) &&
           !fills_vectors(s, sides, loop);
  }

  // Sums for themselves, chosen by numbers as wide: C++ compilers make vectors of the branch.
  bool fills_vectors(const ir::If& s, const Sides& sides, const Stmt& loop) const {
    bool fills = true;
    const types::Type* summed = nullptr;
    for (const Block* side : {s.body, s.orelse})
      for (Stmt* one : *side) {
        const auto [local, value] = assigned(program_, one);
        const Step step = local ? step_of(local, value) : Step{};
        fills = fills && step.before && ir::loaded(step.before) == local &&
                step.op != BinaryOp::kMul && !ir::reads_any(step.by, sides.assigned);
        if (fills && (!summed || local->type->is_float())) summed = local->type;
      }
    const bool both = !s.orelse->empty() && sides.assigned.size() == 1;  // one sum
    if (!fills || both) return false;
    ir::for_each_subexpr(s.condition, [&](const Expr* e) {
      const bool is_given =
          e->type->is_scalar() && (e->kind == ir::ExprKind::kElement || ir::loaded(e));
      fills = fills && (!is_given || (is_number(e->type) && e->type->bits == summed->bits));
    });
    int reads = 0;  // of the sums, outside
    const auto look = [&](const Stmt* one, int by) {
      ir::for_each_expr(one, [&](const Expr* whole) {
        ir::for_each_subexpr(whole, [&](const Expr* e) {
          const Local* local = ir::loaded(e);
          if (local && sides.assigned.contains(local)) reads += by;
          if (const auto* element = ir::try_as<ir::Element>(e))
            for (const ir::Index& i : element->indices) fills = fills && !ir::reads_memory(i.value);
        });
      });
    };
    ir::for_each_block(&loop, [&](const Block& body) {
      fills = fills && !ir::any_stmt(body, [](const Stmt* one) { return ir::is_loop(one); });
      ir::for_each_stmt(body, [&](const Stmt* one) { look(one, 1); });
    });
    for (const Block* side : {s.body, s.orelse})
      for (const Stmt* one : *side) look(one, -1);
    return fills && reads == 0;
  }

  bool is_simple(Stmt* s, Sides& sides, bool inside = false) const {
    if (const Extreme extreme = extreme_of(s); extreme.local) {
      sides.operations += 2;
      const bool simple = sides.cheap(extreme.value);
      sides.assigned.insert(extreme.local);
      return simple;
    }
    if (const auto* branch = ir::try_as<ir::If>(s); branch && !inside) {
      bool simple = sides.cheap_condition(branch->condition);
      for (const Block* side : {branch->body, branch->orelse})
        for (Stmt* one : *side) simple = simple && is_simple(one, sides, true);
      return simple;
    }
    const auto [local, value] = assigned(program_, s);
    if (!local || local->maybe_unbound || value->type != local->type) return false;
    // A product takes as long as several choices: digits are mostly foreseen.
    if (is_whole(local) && multiplies(value, local)) return false;
    const bool fits = is_whole(local) || (local->type->is_float() && local->lanes == 0);
    const bool simple = local->type->is_bool() && local->lanes == 0 ? sides.cheap_condition(value)
                                                                    : fits && sides.cheap(value);
    sides.assigned.insert(local);
    sides.keeps = sides.keeps || (is_whole(local) && !step_of(local, value).before);
    return simple;
  }

  // And the variables of the loop that are computed from these.
  static void add_reached(ir::LocalSet& locals, const Stmt& loop) {
    for (size_t before = 0; before != locals.size();) {
      before = locals.size();
      ir::for_each_block(&loop, [&](const Block& body) {
        ir::for_each_stmt(body, [&](const Stmt* one) {
          const auto* a = ir::try_as<ir::Assign>(one);
          const auto* u = ir::try_as<ir::Update>(one);
          if (a && ir::reads_any(a->value, locals)) locals.insert(a->local);
          if (u && u->place.local && ir::reads_any(u->value, locals)) locals.insert(u->place.local);
        });
      });
    }
  }

  // Does an address or a condition that is missed in the loop hang on these? Or does the next turn
  // wait for none of them? C++ compilers make vectors then. `s`: what is to choose.
  static bool steer(ir::LocalSet locals, const Stmt& loop, const Stmt& s, const Expr* condition) {
    bool found = false, is_carried = false, are_floats = true;
    const auto& counted = *ir::as<ir::For>(&loop);
    const Flow turn = flow_of(*counted.body);
    for (const Local* local : locals) {
      is_carried = is_carried || turn.exposes(local);
      are_floats = are_floats && local->type->is_float();
    }
    add_reached(locals, loop);
    if (!is_carried && !(are_floats && hands_on(counted, locals))) return true;
    if (ir::reads_any(condition, locals)) return true;
    const auto index = [&](const ir::Index& i) { found = found || ir::reads_any(i.value, locals); };
    const auto addresses = [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        if (const auto* element = ir::try_as<ir::Element>(part))
          for (const ir::Index& i : element->indices) index(i);
        const bool other = part->kind == ir::ExprKind::kView ||
                           part->kind == ir::ExprKind::kItemAt || part->kind == ir::ExprKind::kCall;
        found = found || (other && ir::reads_any(part, locals));
      });
    };
    const auto see = [&](const auto& again, const Block& b) -> void {
      for (const Stmt* one : b) {
        if (one == &s) continue;
        const auto* branch = ir::try_as<ir::If>(one);
        const bool values = one->kind == ir::StmtKind::kAssign ||
                            one->kind == ir::StmtKind::kUpdate ||
                            one->kind == ir::StmtKind::kStore || (branch && keeps_extreme(*branch));
        ir::for_each_expr(one, [&](const Expr* e) {
          addresses(e);
          found = found || (!values && ir::reads_any(e, locals));
        });
        ir::for_each_place(one, [&](const ir::Place& place) {
          for (const ir::Index& i : place.indices) index(i);
        });
        ir::for_each_block(one, [&](const Block& inner) { again(again, inner); });
      }
    };
    ir::for_each_block(&loop, [&](const Block& body) { see(see, body); });
    return found;
  }

  // ---- by a bit --------------------------------------------------------------------------------
  // Odd and even, where the next turn waits for the value; and shift registers, whose next bits
  // hang on this one. Of others C++ compilers make vectors.
  Stmt* of_bit(const ir::If& s, const Place& place) const {  // null: it is nothing of the kind
    if (s.body->size() != 1 || s.orelse->size() > 1) return nullptr;
    const auto [local, yes] = assigned(program_, s.body->front());
    if (!local) return nullptr;
    if (s.orelse->empty()) {
      Expr* kept = ir::Builder{program_, s.span}.load(local);
      const bool fits = is_register(local, s.condition, place) && has_value(local, place);
      return fits ? by_bit(local, s.condition, yes, kept, place) : nullptr;
    }
    const auto [other, no] = assigned(program_, s.orelse->front());
    return local == other ? by_bit(local, s.condition, yes, no, place) : nullptr;
  }

  // The same as one expression.
  Stmt* of_select(Stmt& s, const Place& place) {
    const auto* a = ir::try_as<ir::Assign>(&s);
    const auto* select = a ? ir::try_as<ir::Select>(a->value) : nullptr;
    if (!select || select->choice != ir::Choice::kBranch) return nullptr;
    if (Stmt* way = one_way(program_, s)) return way;
    Stmt* one = by_bit(a->local, select->condition, select->yes, select->no, place);
    return one || place.has_many ? one : by_data(*a, *select, *place.loop);
  }

  // A float by what arrays hold, for which a later turn waits; null: it is something else.
  Stmt* by_data(const ir::Assign& a, const ir::Select& select, const Stmt& loop) {
    const auto* counted = ir::try_as<ir::For>(&loop);
    if (!counted || counted->simd || !select.type->is_float() || ir::has_effect(select.condition))
      return nullptr;
    Sides sides{select.condition, [&](const ir::Element& e) { return inside_(e); }};
    sides.assigned.insert(a.local);
    const bool simple = select.type == a.local->type && a.local->lanes == 0 &&
                        sides.cheap(select.yes) && sides.cheap(select.no) &&
                        sides.operations <= kFew;
    if (!simple || !hangs_on_data(select.condition, loop) ||
        steer(sides.assigned, loop, a, select.condition))
      return nullptr;
    const ir::Builder b{program_, a.span};
    return b.assign(a.local, b.expr<ir::Select>(select.type, select.condition, anywhere(select.yes),
                                                anywhere(select.no), ir::Choice::kBits));
  }

  static ir::LocalSet reached_from(const Local* local, const Place& place) {
    ir::LocalSet reached;
    reached.insert(local);
    add_reached(reached, *place.loop);
    return reached;
  }

  static bool is_register(const Local* local, const Expr* condition, const Place& place) {
    const Expr* of = asked_bit_of(condition);
    return of && ir::reads_any(of, reached_from(local, place));
  }

  // Does the next turn compute anything but sums from it?
  static bool is_waited_for(const Local* local, const Place& place) {
    return std::ranges::any_of(reached_from(local, place), [&](const Local* one) {
      return is_carried(one, place) && !is_summed(one, *place.loop);
    });
  }
  static bool is_summed(const Local* local, const Stmt& loop) {
    bool all = true;
    ir::for_each_block(&loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* u = ir::try_as<ir::Update>(s);
        const bool adds = u && (u->op == BinaryOp::kAdd || u->op == BinaryOp::kSub);
        ir::for_each_local(s, [&](const Local* one, ir::Access access) {
          all = all && (one != local || access == ir::Access::kRead || adds);
        });
      });
    });
    return all;
  }

  Stmt* by_bit(Local* local, Expr* condition, Expr* yes, Expr* no, const Place& place) const {
    const bool turns = is_register(local, condition, place);
    const bool is_parity = parity_of(condition).of && is_whole(local);
    if (!turns && !(is_parity && is_waited_for(local, place))) return nullptr;
    Sides sides{condition};
    const bool fits = local->type->is_int() && local->lanes == 0 && yes->type == no->type &&
                      sides.cheap(yes) && sides.cheap(no) &&
                      sides.operations <= (turns ? 2 * kFew : kFew);
    if (!fits) return nullptr;
    const ir::Builder b{program_, condition->span};
    const auto *left = ir::try_as<ir::Convert>(yes), *right = ir::try_as<ir::Convert>(no);
    const bool alike = left && right && left->op == right->op && is_number(left->operand->type) &&
                       left->operand->type == right->operand->type;
    const auto choice = [&](Expr* one, Expr* other) {
      return b.expr<ir::Select>(one->type, condition, anywhere(one), anywhere(other),
                                ir::Choice::kBoth);
    };
    if (!alike) return b.assign(local, choice(yes, no));
    return b.assign(
        local, b.expr<ir::Convert>(local->type, left->op, choice(left->operand, right->operand)));
  }

  ir::Program& program_;
  ir::Function& f_;
  const ReadBehind read_behind_;
  Inside inside_;
};

}  // namespace

void choices(ir::Program& program, ir::Function& f) { Choices(program, f).run(); }

}  // namespace pyk2cu::emit
