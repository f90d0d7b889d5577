// What gangs are worth: see worth.h.
//
// Two sums over the body, in about the cycles of one iteration: run alone, and as one lane of a
// gang. A vector does the operations of several lanes at once, not those that have no vector
// instruction and not elements that do not lie side by side; what all lanes have in common is done
// once for all; masks cost, branches that are hard to foresee do not. Tested by
// tests/golden/gangs.
#include "emit/lower/lanes/worth.h"

#include <algorithm>

#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lanes.h"
#include "emit/lower/lanes/chain.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/inline.h"
#include "emit/lower/lanes/interleaved.h"
#include "emit/lower/lanes/panel_guess.h"
#include "emit/lower/lanes/scopes.h"
#include "emit/lower/parity.h"
#include "emit/lower/scalars.h"
#include "emit/lower/ways.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr double kInLoop = 8;                    // turns that a loop inside is taken to make
constexpr int64_t kWrittenOut = 8;               // turns of a loop
constexpr double kOfFunction = 16, kOfDraw = 8;  // a function of libm; a random number
constexpr double kOfDivision = 4, kOfWholeDivision = 12;
constexpr double kOfKnown = 1.5;  // a division by a constant: a product and a shift
constexpr double kOfWidening = 2, kOfEmulation = 4;  // a product of int64
constexpr double kInTurn = 4;                        // the next iteration waits for it
constexpr double kOutOfLanes = 2;                    // ... and takes it from a vector
constexpr double kMissed = 3;         // a branch, which is foreseen more often than not
constexpr double kWay = 8;            // ... one of two values, of numbers that nobody knows
constexpr double kForeseen = 1;       // ... of what is hardly ever there: NaN, a number that marks
constexpr double kTossed = 6;         // ... as often as not
constexpr double kUnforeseen = 12;    // ... but one of two that hangs on elements from anywhere
constexpr double kAlone = 4;          // to take a value out of a vector and put one back
constexpr double kGathered = 1.5;     // an element that lies by itself
constexpr double kOfPixel = 0.3;      // ... that is taken out of vectors with its neighbours
constexpr double kOfRow = 3;          // ... in a row of its own: lines of memory by the dozen
constexpr double kFarAway = 5;        // ... where nobody knows what lies side by side
constexpr double kChosen = 0.5;       // ... that only some lanes may read
constexpr double kPutAlone = 4;       // ... or write: each asks
constexpr double kOfParts = 25;       // ... of complex numbers: C++ compilers make branches of it
constexpr double kNoGather = 2;       // ... for which there is no instruction: nothing is a vector
constexpr double kAtOnce = 3;         // simple operations of one iteration in a cycle
constexpr double kLeft = 6;           // a loop is left when nobody expects it
constexpr double kUsual = 0.8;        // of the two sides of a branch the one that has a loop
constexpr double kIdle = 1.4;         // lanes wait for the one that turns most
constexpr double kChasing = 4;        // each turn gathers what says what the next one gathers
constexpr double kSearching = 0.5;    // ... and for the one that finds nothing, of the lanes
constexpr double kAtFirst = 3;        // ... of few turns, most of which are the first one alone
constexpr double kEfficiency = 0.75;  // of vectors beside their width
constexpr double kMargin = 1.15;
constexpr double kMuch = 50;  // of an iteration without loops

// Where their number is known, some lanes have none.
double lanes_per_iteration(const Gang& gang) {
  if (!gang.turns || *gang.turns == 0) return 1;
  const int64_t left = *gang.turns % gang.width;
  return 1 + double(left ? gang.width - left : 0) / double(*gang.turns);
}

bool has_loop(const Block& b) {
  return ir::any_stmt(b, [](const Stmt* s) { return ir::is_loop(s); });
}

// Complex numbers that branches choose, of which C++ compilers alone make no vectors; those that
// only some iterations store are no vectors either.
struct ComplexStores {
  bool chosen = false, masked = false;
};
ComplexStores complex_stores(const Block& body) {
  ComplexStores out;
  bool chooses = false, stores = false;
  const auto look = [&](const Stmt* s, bool& found) {
    ir::for_each_place(
        s, [&](const ir::Place& place) { found = found || place.type()->is_complex(); });
  };
  ir::for_each_stmt(body, [&](const Stmt* s) {
    look(s, stores);
    if (s->kind != StmtKind::kIf) return;
    chooses = true;
    ir::for_each_block(s, [&](const Block& side) {
      ir::for_each_stmt(side, [&](const Stmt* inner) { look(inner, out.masked); });
    });
  });
  out.chosen = chooses && stores && !out.masked;
  return out;
}

// Is it a processor without gathers, masked loads, and choices in one instruction?
bool is_old(const Gang& gang) { return gang.vector_bits < 256; }

class Weigher {
 public:
  Weigher(const Gang& gang, const Shape& shape, const Block& body, const Stmt* abandoned,
          const Loops& straight)
      : gang_(gang),
        shape_(shape),
        abandoned_(abandoned),
        straight_(straight),
        panels_(gang, shape, body),
        scopes_(shape) {}

  Worth weigh(const Block& body) {
    block(body, {1, 1, false});
    // Checks keep compilers from straight code as well: worth the longer text where it is much.
    matters_ = matters_ || ((abandoned_ || gang_.asks_ahead) && alone_ > kMuch);
    const ComplexStores complex = complex_stores(body);
    matters_ = matters_ || (!gang_.interleaved.empty() && are_bytes(gang_.interleaved)) ||
               complex.chosen || (gang_.is_far && !complex.masked);
    // What waits for the iteration before leaves time for simple operations beside it.
    const double beside = chain_ > 0 && !has_loop(body) ? simple_ * (1 - 1 / kAtOnce) : 0;
    alone_ = std::max(alone_ - beside, chain_);
    lanes_ = std::max(lanes_ * lanes_per_iteration(gang_), chain_);
    return {alone_,
            lanes_,
            matters_ || adds_,
            adds_ && !matters_,
            lanes_ * kMargin < alone_,
            loads_ && is_dense_};
  }

 private:
  // How often a place is run, alone and by a lane, and whether masks are on.
  struct Place {
    double alone, lanes;
    bool masked;
    const ir::For *rows = nullptr, *along = nullptr;  // see PanelGuess
  };

  // Elements of the type that a vector holds.
  double side_by_side(const types::Type* type) const {
    const int bits = type->is_bool() ? gang_.mask_bits : std::max<int>(type->bits, 32);
    const double efficiency = is_old(gang_) ? 0.7 : kEfficiency;
    return std::max(1.0, gang_.vector_bits / bits * efficiency);
  }

  void add(const Place& at, double alone, double lanes) {
    alone_ += at.alone * alone;
    if (alone <= kOfKnown) simple_ += at.alone * alone;
    lanes_ += at.lanes * lanes;
  }

  // An operation that costs so much, in vectors or for all lanes at once.
  void operation(const Place& at, const Expr* e, double cost, bool vector) {
    if (!shape_.varies(e)) return add(at, cost, cost / gang_.width);
    add(at, cost, vector ? cost / side_by_side(e->type) : cost + kAlone);
  }

  void block(const Block& b, const Place& at) {
    for (const Stmt* s : b) stmt(s, at);
  }

  void stmt(const Stmt* s, const Place& at) {
    if (s->kind != StmtKind::kWhile) ir::for_each_expr(s, [&](const Expr* e) { expr(e, at); });
    ir::for_each_place(s, [&](const ir::Place& place) {
      if (!place.local) element(place.array, place.indices, at, s->kind == StmtKind::kStore);
    });
    if (gang_.gathers(s)) {  // one after the other
      add(at, 1, at.alone > 1 ? 1 + kAlone : kOutOfLanes);
      chain_ = std::max(chain_, kInTurn);
    }
    if (const auto* u = ir::try_as<ir::Update>(s)) {
      operation(at, u->value, 1, true);
      // C++ compilers add to one vector, each turn when the one before is done.
      const bool adds = u->place.local && gang_.is_extreme(u->place.local);
      matters_ = matters_ || (adds && at.masked);
      adds_ = adds_ || adds;
    }
    if (s->kind == StmtKind::kEach) {
      matters_ = true;
      add(at, kOfDraw, kOfDraw / side_by_side(types::float64()));
    }
    const auto* a = ir::try_as<ir::Assign>(s);
    if (a && gang_.is_extreme(a->local) && a->local->type->is_float()) {
      matters_ = true;
      add(at, kInTurn, 0);
    }
    const bool chosen = a && at.masked && shape_.varies(a->local) && scopes_.see_outside(a->local);
    if (chosen) add(at, 0, blend(a->local->type));
    if (const auto* branch = ir::try_as<ir::If>(s)) {
      const bool varies = shape_.varies(branch->condition);
      const double missed = cost_of_branch(*branch);
      matters_ = matters_ || (varies && is_choice(*branch));  // compilers make ways of it
      add(at, varies ? missed : 1, varies ? 2 * blend(types::boolean()) : 1.0 / gang_.width);
      // One of both sides; lanes mostly need both. What loops is the rule, the other is the border.
      const bool first = has_loop(*branch->body), second = has_loop(*branch->orelse);
      const bool both = varies && !branch->orelse->empty();
      const double share = !both ? 1 : first == second ? 0.5 : first ? kUsual : 1 - kUsual;
      const auto side = [&](const Block& b, double part) {
        if (varies) scopes_.open({Scope::Kind::kIf, s, &b, nullptr});
        block(b, {at.alone * part, at.lanes, at.masked || varies, at.rows, at.along});
        if (varies) scopes_.close();
      };
      side(*branch->body, share);
      return side(*branch->orelse, both ? 1 - share : 1);
    }
    if (ir::is_jump(s)) return add(at, 0, shape_.parts(s) ? 2 * blend(types::boolean()) : 0);
    if (ir::is_loop(s)) loop(s, at);
  }

  void loop(const Stmt* s, const Place& at) {
    const bool parts = s != abandoned_ && shape_.turns(s).part();
    const std::optional<int64_t> turns = turns_written_out(s);
    matters_ = matters_ || parts || !(turns || runs_once(s));
    Place inside = at;
    if (turns) {
      inside.alone *= double(*turns);
      inside.lanes *= double(*turns);
      return ir::for_each_block(s, [&](const Block& inner) { block(inner, inside); });
    }
    inside.masked = at.masked || parts;
    if (!runs_once(s)) {
      inside.rows = at.along;
      inside.along = parts ? nullptr : ir::try_as<ir::For>(s);
    }
    if (straight_.contains(s))
      inside.alone /= side_by_side(widest(s));
    else if (!parts && streams(s))
      inside.alone /= kAtOnce;
    const double waiting = parts ? 0 : waits(s);
    if (!runs_once(s)) {
      const bool few = at.alone >= kInLoop * kInLoop;
      inside.alone *= few ? 1 : kInLoop;
      const double searching = this->searching(*s);
      inside.lanes *= (few ? 1 : kInLoop) * (!parts                     ? 1
                                             : searching > 0            ? searching
                                             : chases(s, gang_, shape_) ? kChasing
                                             : shape_.waits(s)          ? kIdle
                                                                        : 1);
      add(inside, waiting, 0);
      add(inside, 1, parts ? 2 * blend(types::boolean()) : 1.0 / gang_.width);
    }
    if (!parts || !(s->kind == StmtKind::kWhile || shape_.turns(s).breaks)) return turn(s, inside);
    // Nobody knows its last turn before: nothing of what follows begins, and simple operations run
    // beside each other, or wait for those of the turn before.
    add(at, kLeft, kLeft / gang_.width);
    const double before = alone_, simple = simple_;
    turn(s, inside);
    const double beside = guesses(*s) ? 0 : (simple_ - simple) * (1 - 1 / kAtOnce);
    alone_ = std::max(alone_ - beside, before + inside.alone * chain_of(*s));
    simple_ = simple;
  }

  void turn(const Stmt* s, const Place& at) {
    if (s->kind == StmtKind::kWhile) ir::for_each_expr(s, [&](const Expr* e) { expr(e, at); });
    const bool ends_early = shape_.turns(s).continues;
    scopes_.open({Scope::Kind::kLoop, s, nullptr, nullptr});
    if (ends_early) scopes_.open({Scope::Kind::kTurn, s, nullptr, nullptr});
    ir::for_each_block(s, [&](const Block& inner) { block(inner, at); });
    if (ends_early) scopes_.close();
    scopes_.close();
  }

  // Turns that do not wait for one another, over elements along the last axis, which no lane is on:
  // processors do several operations at once, and C++ compilers may find vectors.
  bool streams(const Stmt* s) const {
    const auto* loop = ir::try_as<ir::For>(s);
    if (!loop || !counts_by_one(*loop) || waits(s) > 0) return false;
    bool streams = false, plain = true;
    const auto look = [&](const Expr* array, const ir::List<ir::Index>& indices) {
      const Expr* near = indices.back().value;
      plain = plain && array->type->layout == types::Layout::kC && !shape_.varies(near);
      streams = streams || ir::reads(near, loop->index);
    };
    ir::for_each_stmt(std::as_const(*loop->body), [&](const Stmt* inner) {
      plain = plain && (inner->kind == StmtKind::kAssign || inner->kind == StmtKind::kStore ||
                        inner->kind == StmtKind::kUpdate || inner->kind == StmtKind::kIf);
      ir::for_each_place(inner, [&](const ir::Place& place) {
        if (!place.local) look(place.array, place.indices);
      });
    });
    ir::for_each_expr_in(std::as_const(*loop->body), [&](const Expr* e) {
      if (const auto* from = ir::try_as<ir::Element>(e)) look(from->array, from->indices);
    });
    if (!plain || !streams || differs_in_lanes(*loop->body)) return false;
    const Flow flow = flow_of(*loop->body);
    return std::ranges::none_of(ir::assigned_in(*loop->body),
                                [&](const Local* local) { return flow.exposes(local); });
  }

  // How much longer lanes take that wait for one another in a loop with a way out where an integer
  // equals another: what is found at once in most iterations is not found at all in some. Or, of
  // few turns, where it does not: most runs of equal ones have no second one. 0: it is none.
  double searching(const Stmt& loop) const {
    const auto* turns = ir::try_as<ir::While>(&loop);
    if (turns && ir::constant(turns->condition)) return 0;
    const auto* counted = ir::try_as<ir::For>(&loop);
    if (counted && turns_less(*counted, int64_t(kInLoop) + 1))
      return leaves(*counted->body, false) ? kAtFirst : 0;
    if (!counted && !turns) return 0;
    return leaves(counted ? *counted->body : *turns->body, true) ? kSearching * gang_.width : 0;
  }

  // Where one integer equals another, or does not; otherwise than by raising.
  bool leaves(const Block& b, bool equal) const {
    return std::ranges::any_of(b, [&](const Stmt* s) {
      const auto* branch = ir::try_as<ir::If>(s);
      if (!branch) return false;
      const auto out = [&](const Stmt* one) {
        const auto* jump = ir::try_as<ir::Break>(one);
        return jump && jump->loop != abandoned_;
      };
      const bool is_left = std::ranges::any_of(equal ? *branch->body : *branch->orelse, out);
      return (is_left && asks_equality(branch->condition)) || leaves(*branch->body, equal) ||
             leaves(*branch->orelse, equal);
    });
  }

  // Is there a branch in it that is taken as if by chance, which all behind it waits for?
  bool guesses(const Stmt& loop) const {
    bool found = false;
    ir::for_each_block(&loop, [&](const Block& b) {
      found = found || ir::any_stmt(b, [&](const Stmt* s) {
                const auto* branch = ir::try_as<ir::If>(s);
                return branch && cost_of_branch(*branch) == kUnforeseen;
              });
    });
    return found;
  }

  // Where the processor has to guess which side it takes.
  double cost_of_branch(const ir::If& s) const {
    if (is_way(s)) return kForeseen;  // alone it is no branch
    if (!s.orelse->empty() && looks_up(s.condition)) return kUnforeseen;
    if (parity_of(s.condition).of) return kTossed;
    return is_foreseen(s) ? kForeseen : is_choice(s) ? kWay : kMissed;
  }

  bool asks_equality(const Expr* e) const {
    if (const auto* compare = ir::try_as<ir::Compare>(e))
      return compare->op == ir::CompareOp::kEq && compare->left->type->is_int() && shape_.varies(e);
    const auto* both = ir::try_as<ir::Logical>(e);
    return both && (asks_equality(both->left) || asks_equality(both->right));
  }

  // Of a loop over straight code of integers, which C++ compilers write out to vectorise the one
  // around it, in the bits that they need.
  static std::optional<int64_t> turns_written_out(const Stmt* s) {
    const auto* loop = ir::try_as<ir::For>(s);
    const auto turns = loop ? constant_turns(*loop) : std::nullopt;
    bool straight = turns && *turns > 0 && *turns <= kWrittenOut && !widest(s)->is_float();
    if (!straight) return std::nullopt;
    for (const Stmt* inner : *loop->body)
      straight = straight && (inner->kind == StmtKind::kAssign || inner->kind == StmtKind::kStore ||
                              inner->kind == StmtKind::kUpdate || turns_written_out(inner));
    return straight ? turns : std::nullopt;
  }

  // Of what the loop computes.
  static const types::Type* widest(const Stmt* loop) {
    const types::Type* found = types::boolean();
    ir::for_each_block(loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* store = ir::try_as<ir::Store>(s);
        const auto* assign = ir::try_as<ir::Assign>(s);
        const auto* update = ir::try_as<ir::Update>(s);
        const Expr* e = store    ? store->value
                        : assign ? assign->value
                        : update ? update->value
                                 : nullptr;
        if (e && e->type->is_real() && e->type->bits > found->bits) found = e->type;
      });
    });
    return found;
  }

  // How long a turn waits for the one before: for a sum of floats, or for an element that it wrote.
  double waits(const Stmt* s) const {
    bool found = false, stored = false;
    ir::for_each_block(s, [&](const Block& b) {
      const Flow flow = flow_of(b);
      for (const Stmt* inner : b) {
        const auto* u = ir::try_as<ir::Update>(inner);
        found = found || (u && u->place.local && u->place.local->type->is_float() &&
                          flow.exposes(u->place.local) && !gang_.find_gathered(u->place.local));
        const auto* store = ir::try_as<ir::Store>(inner);
        stored = stored || (store && reads_another(b, store->place));
      }
    });
    return stored ? 2 * kInTurn : found ? kInTurn - 1 : 0;
  }

  // An element of the same array, elsewhere.
  static bool reads_another(const Block& b, const ir::Place& place) {
    bool found = false;
    ir::for_each_expr_in(b, [&](const Expr* e) {
      const auto* element = ir::try_as<ir::Element>(e);
      if (found || !element || !ir::equal(element->array, place.array)) return;
      found = !std::ranges::equal(
          element->indices, place.indices,
          [](const auto& x, const auto& y) { return ir::equal(x.value, y.value); });
    });
    return found;
  }

  // A choice between two vectors, which older ones make of three operations.
  double blend(const types::Type* type) const {
    return (is_old(gang_) ? 3 : 1) / side_by_side(type);
  }

  void expr(const Expr* e, const Place& at) {
    ir::for_each_subexpr(e, [&](const Expr* part) {
      if (const auto* from = ir::try_as<ir::Element>(part)) {
        const bool is_complex = from->array->type->elem->is_complex();
        if (is_complex && at.masked && !from->is_safe) return add(at, 1, kOfParts);
        return element(from->array, from->indices, at);
      }
      if (const auto* b = ir::try_as<ir::Binary>(part)) return binary(*b, at);
      if (const auto* c = ir::try_as<ir::Convert>(part)) {
        const bool free = c->operand->type->is_int() && c->type->is_int();
        return operation(at, c, free ? 0 : 1, free || has_vector_form(*c, gang_.forms));
      }
      if (part->kind == ExprKind::kCompare)
        return operation(at, ir::as<ir::Compare>(part)->left, 1, true);
      if (part->kind == ExprKind::kSelect || part->kind == ExprKind::kUnary)
        return operation(at, part, 1, true);
      const auto* call = ir::try_as<ir::Builtin>(part);
      if (!call || is_of_parts(*call)) return;
      const bool function = !gang_.forms.libm && has_own_form(*call);
      matters_ = matters_ || (function && shape_.varies(part) && is_dense_);
      const bool simple = call->row->module() == "builtins" || is_conjugate(*call) ||
                          call->row->range == builtins::Range::kBits;
      operation(at, part, simple ? 1 : kOfFunction, has_vector_form(*call, gang_.forms));
    });
  }

  void binary(const ir::Binary& b, const Place& at) {
    const bool all = divides_all(b, gang_.forms), vector = has_vector_form(b, gang_.forms);
    if (b.op == BinaryOp::kFloorDiv || b.op == BinaryOp::kMod) {
      const bool whole = b.type->is_int(), known = ir::constant(b.right);
      // C++ compilers divide integers by nothing but constants in vectors.
      matters_ = matters_ || (whole && (all || vector) && !known && shape_.varies(&b));
      // What is left of a division of floating-point numbers is a call, which no vector holds.
      matters_ = matters_ || (!whole && !vector && shape_.varies(&b));
      if (known && all && shape_.varies(&b))
        return add(at, kOfKnown, 2 * kOfWholeDivision / side_by_side(b.type));  // never as quick
      return operation(at, &b,
                       known   ? kOfKnown
                       : whole ? kOfWholeDivision
                               : kOfDivision,
                       all || vector);
    }
    // No C++ compiler makes vectors of a loop over an exponent's bits.
    matters_ = matters_ || (raises_all(b) && shape_.varies(&b));
    if (b.op == BinaryOp::kPow) return operation(at, &b, kOfFunction, vector || raises_all(b));
    if (b.op == BinaryOp::kDiv) return operation(at, &b, kOfDivision, vector);
    // No vector multiplies int64 before AVX-512; products of elements are worth the emulation.
    const bool emulated = b.type->is_int() && b.type->bits == 64 && b.op == BinaryOp::kMul;
    const types::Type *left = widened(b.left), *right = widened(b.right);
    const bool widens = left && right && left->is_signed == right->is_signed;
    if (emulated && !is_old(gang_) && shape_.varies(&b) &&
        (widens || (ir::reads_memory(b.left) && ir::reads_memory(b.right))))
      return add(at, 1, (widens ? kOfWidening : kOfEmulation) / side_by_side(b.type));
    operation(at, &b, 1, vector && !emulated);
  }

  // What it is of at most 32 bits, of two of which vectors have an instruction for 64; null: more.
  static const types::Type* widened(const Expr* e) {
    const auto* c = ir::try_as<ir::Convert>(e);
    return c && c->operand->type->is_int() && c->operand->type->bits <= 32 ? c->operand->type
                                                                           : nullptr;
  }

  // An element whose place is no matter of the loop's index
  bool looks_up(const Expr* e) const {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* from = ir::try_as<ir::Element>(part);
      if (!from) return;
      const Expr* last = from->indices.back().value;
      found = found || (shape_.varies(last) && !gang_.moves_by_one(last, shape_));
    });
    return found;
  }

  void element(const Expr* array, const ir::List<ir::Index>& indices, const Place& at,
               bool is_stored = false) {
    bool varies = false;
    for (size_t k = 0; k + 1 < indices.size(); ++k)
      varies = varies || shape_.varies(indices[k].value);
    const ir::Index& last = indices.back();
    if (!varies && !shape_.varies(last.value)) return add(at, 1, 1.0 / gang_.width);
    const bool rows = array->type->layout == types::Layout::kC;
    const bool beside = !varies && rows && !last.wrap && gang_.moves_by_one(last.value, shape_);
    is_dense_ = is_dense_ && beside;
    loads_ = true;
    if (beside) return add(at, 1, 1 / side_by_side(array->type->elem));
    const auto is = [&](const Interleaved& one) { return one.array == ir::loaded(array); };
    if (!at.masked && std::ranges::any_of(gang_.interleaved, is)) return add(at, 1, kOfPixel);
    const auto strides = [&](const ir::Index& i) {
      return !shape_.varies(i.value) || gang_.moves_by_one(i.value, shape_);
    };
    const bool small = array->type->elem->bits < 32;
    const bool none =
        at.masked ? is_old(gang_) || small : small && !std::ranges::all_of(indices, strides);
    matters_ = matters_ || (none && !at.masked);  // alone, the rest may be vectors
    const double gathered = !rows ? kFarAway : varies ? kOfRow : kGathered;
    if (panels_.has(array, indices, at.rows, at.along))
      return add(at, 1, gathered / kInLoop + 1 / side_by_side(array->type->elem));
    const double chosen = !at.masked ? 0 : is_stored ? kPutAlone : kChosen;
    add(at, 1, gathered + chosen + (none ? kNoGather : 0));
  }

  const Gang& gang_;
  const Shape& shape_;
  const Stmt* abandoned_;
  const Loops& straight_;
  const PanelGuess panels_;
  Scopes scopes_;
  double alone_ = 0, lanes_ = 0;
  double simple_ = 0;  // of alone_, what is neither a division nor a missed branch nor farther
  double chain_ = 0;   // what the next iteration waits for
  // There is more than straight code and sums; there are sums in any order.
  bool matters_ = false, adds_ = false;
  bool is_dense_ = true;  // all elements lie side by side
  bool loads_ = false;    // or stores
};

}  // namespace

Loops straight_loops(ir::Program& program, ir::Function& f, const Block& body,
                     const ir::EffectAnalysis& effects) {
  Loops all;
  ir::for_each_stmt(body, [&](const Stmt* s) {
    const auto* inner = ir::try_as<ir::For>(s);
    if (inner && (fills_lanes(*inner, effects) || counts(*inner, effects) ||
                  counts_in_variables(program, f, *inner, effects)))
      all.insert(inner);
  });
  return all;
}

Worth worth_of(const Block& body, const Gang& gang, const Shape& shape, const Stmt* abandoned,
               const Loops& straight) {
  return Weigher(gang, shape, body, abandoned, straight).weigh(body);
}

bool may_be_long(const ir::Block& body) {
  return ir::any_stmt(body, [](const ir::Stmt* s) {
    const auto* loop = ir::try_as<ir::For>(s);
    return ir::is_loop(s) && !runs_once(s) && !(loop && constant_turns(*loop));
  });
}

}  // namespace pyk2cu::emit
