// Statements of lanes: see lane_code.h.
//
// What has no vector instruction is computed one lane after the other, in a run of its own, so that
// what stands around it stays in vectors. Tested by tests/golden/gangs and tests/run/test_gangs.py.
#include "emit/lower/lanes/lane_code.h"

#include <algorithm>
#include <unordered_map>

#include "emit/lower/interval.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/masks.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

// Would a compiler that does not move it out of the loop lose anything?
bool is_worth_moving(const Expr* e) {
  bool found = false;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    found = found || part->kind == ExprKind::kElement || part->kind == ExprKind::kBuiltin ||
            part->kind == ExprKind::kSelect || part->kind == ExprKind::kCompare ||
            part->kind == ExprKind::kLogical ||
            (b && (b->type->is_float() || b->op > BinaryOp::kMul));
  });
  return found;
}

// mask ? value : kept; g++ makes no vectors of choices of truths.
Expr* chosen_truth(const ir::Builder& b, Local* mask, Expr* value, Expr* kept) {
  const auto both = [&](Expr* one, Expr* other) { return b.plain(BinaryOp::kAnd, one, other); };
  const auto either = [&](Expr* one, Expr* other) { return b.plain(BinaryOp::kOr, one, other); };
  const ir::Const* same = ir::constant(value);
  if (same && same->value.integer) return either(kept, b.load(mask));
  const auto* turned = ir::try_as<ir::Unary>(value);
  if (turned && turned->op == ir::UnaryOp::kNot && ir::equal(turned->operand, kept))
    return b.plain(BinaryOp::kXor, kept, b.load(mask));
  Expr* others = both(kept, b.negated(b.load(mask)));
  return same ? others : either(both(b.load(mask), value), others);
}

// Of max(high[k], a(j + k)) behind a mask, and 0, g++ 12 makes an instruction of bytes that it does
// not know itself ("unrecognizable insn").
bool is_small_extreme(const Expr* e) {
  if (const auto* convert = ir::try_as<ir::Convert>(e)) e = convert->operand;
  const auto* call = ir::try_as<ir::Builtin>(e);
  return call && e->type->is_int() && e->type->bits < 32 &&
         (call->row->id == builtins::Id::builtins_min ||
          call->row->id == builtins::Id::builtins_max);
}

// No instruction gathers elements of less than 32 bits.
bool is_far_and_small(const ir::Element& e, const Gang& gang, const Shape& shape) {
  const auto strides = [&](const ir::Index& i) {
    return !shape.varies(i.value) || gang.moves_by_one(i.value, shape);
  };
  return e.type->bits < 32 && !std::ranges::all_of(e.indices, strides);
}

}  // namespace

LaneCode::LaneCode(ir::Program& program, ir::Function& f, const Gang& gang, const Shape& shape,
                   const Scopes& scopes)
    : program_(program), f_(f), gang_(gang), shape_(shape), scopes_(scopes), runs_(program, gang) {}

// ---- expressions -------------------------------------------------------------------------------

Expr* LaneCode::lane() const { return ir::Builder{program_}.load(gang_.lane); }

bool LaneCode::is_guarded(const Expr* e) const {
  bool found = false;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    // The machine's own traps at 0; that of lanes gives 0: see adapt.
    const bool divides = b && divides_integers(*b) && !ir::constant(b->right) &&
                         (b->plain || b->natural) && !shape_.varies(b);
    const bool shifts =
        b && (b->op == BinaryOp::kShl || b->op == BinaryOp::kShr) && !ir::constant(b->right);
    const auto* element = ir::try_as<ir::Element>(part);
    const bool reads = element ? !element->is_safe : ir::reads_itself(part);
    found = found || reads || part->kind == ExprKind::kItemAt || part->kind == ExprKind::kCall ||
            part->kind == ExprKind::kUnwrap || divides || (shifts && b->plain);
  });
  return found;
}

// Only of lanes that have an iteration?
bool LaneCode::is_counted(const Expr* e, const Local* mask) const {
  bool loads = false;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* element = ir::try_as<ir::Element>(part);
    loads = loads || (element && element->is_safe && !is_of_all(gang_, shape_, element->indices));
  });
  return loads || (!mask && is_guarded(e));
}

// Does the node itself have one?
bool LaneCode::node_has_form(const Expr* e) const {
  if (const auto* b = ir::try_as<ir::Builtin>(e)) return has_vector_form(*b, gang_.forms);
  if (const auto* c = ir::try_as<ir::Convert>(e)) return has_vector_form(*c, gang_.forms);
  if (const auto* b = ir::try_as<ir::Binary>(e))
    return has_vector_form(*b, gang_.forms) || divides_all(*b, gang_.forms) || raises_all(*b);
  if (const auto* element = ir::try_as<ir::Element>(e))
    return !is_far_and_small(*element, gang_, shape_);
  return e->kind != ExprKind::kItemAt;
}

// a[j] if j < n else 0: of what is evaluated where a condition holds only, does anything have no
// form that must not be evaluated elsewhere? It cannot be computed ahead.
bool LaneCode::hides(const Expr* e) const {
  if (e->kind != ExprKind::kSelect && e->kind != ExprKind::kLogical) return false;
  bool first = true, hides = false;
  ir::for_each_operand(e, [&](const Expr* operand) {
    ir::for_each_subexpr(operand, [&](const Expr* part) {
      hides = hides || (!first && shape_.varies(part) && !node_has_form(part) && is_guarded(part));
    });
    first = false;
  });
  return hides;
}

// float64(i), float32(i + 1) of the loop's index   ->   float64(first) + lane: both are exact,
// which vectors can compute; an index that starts below 2**51 does not get to 2**53.
bool LaneCode::take_index(Expr*& e) {
  const auto* to = ir::try_as<ir::Convert>(e);
  if (!to || !e->type->is_float() || !gang_.small_start) return false;
  const auto* sum = ir::try_as<ir::Binary>(to->operand);
  const bool shifted = sum && (sum->op == BinaryOp::kAdd || sum->op == BinaryOp::kSub) &&
                       ir::loaded(sum->left) == gang_.index && ir::constant(sum->right) &&
                       std::abs(ir::constant(sum->right)->value.integer) < (int64_t{1} << 51);
  if (!shifted && ir::loaded(to->operand) != gang_.index) return false;
  const ir::Builder b{program_, e->span};
  const auto number = [&](Expr* of, ir::ConvertOp op) {
    return b.expr<ir::Convert>(types::float64(), op, of);
  };
  Expr* from = b.load(gang_.first);
  if (shifted) from = b.plain(sum->op, from, sum->right);
  Expr* exact = b.plain(BinaryOp::kAdd, number(from, ir::ConvertOp::kRound),
                        number(lane(), ir::ConvertOp::kExact));
  e = e->type == types::float64() ? exact
                                  : b.expr<ir::Convert>(e->type, ir::ConvertOp::kRound, exact);
  return true;
}

// What is the same for all lanes is computed once, in front. `sure`: wherever a lane runs the
// statement, it computes it; where it must not be computed for nobody, that is asked.
void LaneCode::take_uniform(Expr*& e, Local* mask, bool sure) {
  if (!e->type->is_real() || !is_worth_moving(e) || runs_.made(e)) return;
  const bool guarded = is_guarded(e), asks = guarded && !scopes_.has_somebody();
  if ((guarded && !sure) || (asks && !mask)) return;
  const ir::Builder b{program_, e->span};
  if (!guarded && (mask || !sure)) anywhere(e);
  if (asks)
    e = b.expr<ir::Select>(e->type, b.expr<ir::Any>(types::boolean(), mask), e, b.zero(e->type));
  auto* own = b.stmt<ir::Assign>(b.temp("same", e->type), e);
  const ir::Assign* same = runs_.same(own);
  if (same == own) f_.locals.push_back(own->local);
  e = b.load(same->local);
}

// What is the same for all lanes, and was known only where one of them runs, is not known any more.
void LaneCode::forget(Expr* e) {
  if (!shape_.varies(e) && !runs_.made(e))
    anywhere(e);
  else
    ir::for_each_operand(e, [&](Expr* operand) { forget(operand); });
}

// The expression as lanes compute it: of their own iteration, dead lanes included.
void LaneCode::adapt(Expr*& e, bool dead) {
  if (!shape_.varies(e) && !runs_.made(e)) return;
  const ir::Builder b{program_, e->span};
  if (ir::loaded(e) == gang_.index) {
    Expr* lane = b.expr<ir::Convert>(e->type, ir::ConvertOp::kExact, b.load(gang_.lane));
    e = b.plain(BinaryOp::kAdd, b.load(gang_.first), lane);
    return;
  }
  switch (e->kind) {
    case ExprKind::kLoad:
    case ExprKind::kElement:
    case ExprKind::kUnary:
    case ExprKind::kBinary:
    case ExprKind::kCompare:
    case ExprKind::kLogical:
    case ExprKind::kSelect:
    case ExprKind::kConvert:
    case ExprKind::kBuiltin:
      break;
    default:
      return fail();
  }
  const auto* call = ir::try_as<ir::Builtin>(e);
  const bool complex = e->kind == ExprKind::kElement || (call && is_of_parts(*call));
  if (!e->type->is_real() && !(complex && e->type->is_complex())) return fail();
  if (auto* element = ir::try_as<ir::Element>(e)) {
    if (shape_.varies(element->array)) return fail();
    for (ir::Index& i : element->indices) adapt(i.value, false);
    return;
  }
  ir::for_each_operand(e, [&](Expr*& operand) { adapt(operand, dead); });
  if (Expr* odd = parity(b, e)) e = odd;
  if (e->kind != ExprKind::kBuiltin) use_own_form(e, gang_.forms);
  if (auto* logical = ir::try_as<ir::Logical>(e); logical && !is_guarded(logical->right))
    e = b.expr<ir::Binary>(e->type, logical->is_and ? BinaryOp::kAnd : BinaryOp::kOr, logical->left,
                           logical->right);
  auto* binary = ir::try_as<ir::Binary>(e);
  if (binary && divides_integers(*binary) && !ir::constant(binary->right))
    binary->natural = binary->plain = false;
  if (!dead) return;
  if (binary && e->type->is_int()) binary->plain = binary->plain && binary->op > BinaryOp::kMul;
  if (auto* unary = ir::try_as<ir::Unary>(e); unary && e->type->is_int()) unary->plain = false;
}

// ---- statements --------------------------------------------------------------------------------

void LaneCode::assign(ir::Assign& s, Local* mask, bool seen) {
  ahead_.clear();
  seen = seen || gang_.is_extreme(s.local);  // by the gangs behind
  const ir::Builder b{program_, s.span};
  const bool vector = !shape_.varies(s.value) || take_index(s.value) || has_form(s.value);
  if (vector) extract(s.value, mask);
  const bool guarded = is_guarded(s.value);
  const bool counted = is_counted(s.value, mask) || gang_.is_extreme(s.local);
  const bool chosen = mask && (seen || guarded || !vector);
  const bool is_sum = chosen && vector && !guarded && added_to(gang_, s);
  const bool of_both =
      is_sum || (chosen && seen && vector && !guarded && is_chosen_by_bits(s.local, mask));
  if (of_both || (mask && !chosen)) forget(s.value);
  adapt(s.value, of_both || (!chosen && !(guarded && !mask)));
  if (is_sum) {
    add_chosen(program_, *added_to(gang_, s), mask);
  } else if (of_both && s.local->type->is_bool()) {
    s.value = chosen_truth(b, mask, s.value, b.load(s.local));
  } else if (chosen) {
    const bool keeps = seen || is_small_extreme(s.value);
    Expr* kept = keeps ? b.load(s.local) : b.zero(s.local->type);
    s.value = b.expr<ir::Select>(s.value->type, b.load(mask), s.value, kept,
                                 of_both ? ir::Choice::kBoth : ir::Choice::kBranch);
  }
  runs_.add(&s, vector ? Run::kVector : Run::kScalar, counted);
}

// Of several choices by conditions that have to do with one another g++ makes ways that part before
// it makes vectors, and of a way that leaves a variable alone a store behind a mask, which is slow.
// What is less or more of whole numbers is one instruction.
bool LaneCode::is_chosen_by_bits(const Local* local, const Local* mask) const {
  const types::Type* type = local->type;
  return type->is_real() && !(type->is_int() && compared_.contains(mask));
}

void LaneCode::varying_assign(Local* local, Expr* value, Local* mask) {
  assign(*ir::as<ir::Assign>(ir::Builder{program_, value->span}.assign(local, value)), mask, false);
}

void LaneCode::plain_assign(Local* local, Expr* value) {
  adapt(value, true);
  runs_.add(ir::Builder{program_, value->span}.assign(local, value), Run::kVector, false);
}

// running && a[i + k] > x   ->   value[k] = running ? a[i + k] : 0; running & (value[k] > x)
// Elements side by side, of which g++ 12 makes a load behind a mask, and of the other a branch.
void LaneCode::loads_ahead(Expr*& e, Local* running) {
  if (e->kind == ExprKind::kSelect || e->kind == ExprKind::kLogical) return;
  const auto* element = ir::try_as<ir::Element>(e);
  if (!element || element->is_safe)
    return ir::for_each_operand(e, [&](Expr*& operand) { loads_ahead(operand, running); });
  const auto stays = [&](const ir::Index& i) { return !shape_.varies(i.value); };
  const ir::Index& last = element->indices.back();
  const auto others = element->indices.first(element->indices.size() - 1);
  if (element->array->type->layout != types::Layout::kC || last.wrap ||
      !ir::loaded(element->array) || !std::ranges::all_of(others, stays) ||
      !gang_.moves_by_one(last.value, shape_))
    return;
  const ir::Builder b{program_, e->span};
  f_.locals.push_back(b.temp("value", e->type));
  Local* value = f_.locals.back();
  Expr* loaded = e;
  adapt(loaded, false);
  Expr* chosen = b.expr<ir::Select>(e->type, b.load(running), loaded, b.zero(e->type));
  runs_.add(b.assign(value, chosen), Run::kVector, false);
  e = b.load(value);
}

// Of running & !(running & c) g++ 12 makes a choice of bools, which it does not vectorise.
Local* LaneCode::condition(Local* local, Expr* running, Expr* condition, bool splits) {
  ahead_.clear();
  const ir::Builder b{program_, condition->span};
  extract(condition, running ? ir::loaded(running) : nullptr);
  if (running && ir::loaded(running)) loads_ahead(condition, ir::loaded(running));
  const bool guarded = is_guarded(condition);
  const bool counted = is_counted(condition, running ? ir::loaded(running) : nullptr);
  adapt(condition, !guarded);
  Local* holds = local;
  if (splits && running && !guarded) {
    f_.locals.push_back(b.temp("holds", types::boolean()));
    holds = f_.locals.back();
    runs_.add(b.assign(holds, condition), Run::kVector, counted);
    condition = b.load(holds);
  }
  if (!running && condition->kind == ExprKind::kCompare) compared_.insert(local);
  if (running && guarded)
    condition = b.expr<ir::Logical>(types::boolean(), true, running, condition);
  else if (running)
    condition = b.expr<ir::Binary>(types::boolean(), BinaryOp::kAnd, running, condition);
  runs_.add(b.assign(local, condition), Run::kVector, counted);
  return holds;
}

// Its expressions, those without a form ahead of it.
void LaneCode::adapt_all(Stmt* s, Local* mask, bool dead) {
  ahead_.clear();
  ir::for_each_expr(s, [&](Expr*& e) {
    if (e->type->is_array()) {
      if (shape_.varies(e)) fail();
      return;
    }
    extract(e, mask);
    adapt(e, dead);
  });
}

// May lanes without an iteration make it too, in arrays that have elements for them?
bool LaneCode::is_for_all(const Stmt* s, const Local* mask) const {
  const auto* update = ir::try_as<ir::Update>(s);
  bool fits = !mask && !(update && update->value->type->is_int());
  ir::for_each_place(s, [&](const ir::Place& place) {
    fits = fits && !place.local && is_of_all(gang_, shape_, place.indices);
  });
  ir::for_each_expr(
      s, [&](const Expr* e) { fits = fits && (e->type->is_array() || !is_counted(e, mask)); });
  return fits;
}

void LaneCode::memory(Stmt* s, Local* mask) {
  const ir::Builder b{program_, s->span};
  bool varies = false;
  ir::for_each_place(s, [&](const ir::Place& place) {
    for (const ir::Index& i : place.indices) varies = varies || shape_.varies(i.value);
  });
  if (!varies) return fail();
  auto* store = ir::try_as<ir::Store>(s);
  if (store && mask && store->value->kind != ExprKind::kLoad && !is_guarded(store->value) &&
      is_counted(store->value, mask))
    ahead(store->value, mask);
  const bool all = is_for_all(s, mask);
  adapt_all(s, mask, all);
  const auto* update = ir::try_as<ir::Update>(s);
  const Run run = update && (update->atomic || !has_vector_form(*update, gang_.forms))
                      ? Run::kScalar
                      : Run::kVector;
  runs_.add(mask ? b.if_(b.load(mask), b.block({s})) : s, run, !mask && !all);
}

// e   ->   value[k] = e, in front;  value[k]
void LaneCode::ahead(Expr*& e, Local* mask) {
  const ir::Builder b{program_, e->span};
  f_.locals.push_back(b.temp("value", e->type));
  Local* value = f_.locals.back();
  varying_assign(value, e, mask);
  e = b.load(value);
}

// ---- storage -----------------------------------------------------------------------------------

namespace {

// Runs that stand side by side become one.
void join_runs(Block& block) {
  Block all;
  ir::LocalSet given;  // by functions, in the last of them
  for (Stmt* s : block) {
    ir::for_each_block(s, [&](Block& inner) {
      if (s->kind != ir::StmtKind::kLanes) join_runs(inner);
    });
    auto* next = ir::try_as<ir::Lanes>(s);
    auto* last = all.empty() ? nullptr : ir::try_as<ir::Lanes>(all.back());
    const auto asks = [&](const Stmt* one) { return asks_any(one, given); };
    if (next && last && next->simd == last->simd && !next->count == !last->count &&
        next->reductions.empty() && last->reductions.empty() &&
        std::ranges::none_of(*next->body, asks))
      last->body->insert(last->body->end(), next->body->begin(), next->body->end());
    else
      all.push_back(s), given = {};
    if (next)
      for (const Stmt* one : *next->body) add_given(one, given);
  }
  block = std::move(all);
}

// sin or cos of a local of lanes, into one that nothing else assigns; null: something else
const ir::Builtin* half_of_both(const Stmt* s) {
  using builtins::Id;
  const auto* each = ir::try_as<ir::Each>(s);
  const auto* call = each ? ir::try_as<ir::Builtin>(each->value) : nullptr;
  const bool is_half = call && each->local->is_temp &&
                       (call->row->lanes == Id::lanes_sin || call->row->lanes == Id::lanes_cos);
  return is_half ? call : nullptr;
}

// sin(angle, sine); …; cos(angle, cosine);   ->   sin_cos(angle, sine, cosine); …
void join_angles(ir::Program& program, Block& block) {
  std::unordered_map<const Local*, size_t> open;  // angles, and where the first of both stands
  Block all;
  for (Stmt* s : block) {
    ir::for_each_block(s, [&](Block& inner) { join_angles(program, inner); });
    const ir::Builtin* call = half_of_both(s);
    const auto* angle = call ? ir::as<ir::Load>(call->args[0]) : nullptr;
    const auto first = open.find(angle ? angle->local : nullptr);
    const ir::Builtin* other = first == open.end() ? nullptr : half_of_both(all[first->second]);
    if (call && other && other->row->lanes != call->row->lanes) {
      Local* sine = ir::as<ir::Each>(s)->local;
      Local* cosine = ir::as<ir::Each>(all[first->second])->local;
      if (call->row->lanes == builtins::Id::lanes_cos) std::swap(sine, cosine);
      const ir::Builder b{program, s->span};
      all[first->second] = b.stmt<ir::SinCos>(sine, cosine, call->args[0]);
      open.erase(first);
      continue;
    }
    for (const Local* local : ir::assigned_in(s)) open.erase(local);
    if (call && !other) open[angle->local] = all.size();
    all.push_back(s);
  }
  block = std::move(all);
}

// What lanes keep before they have assigned it is 0: in every gang anew.
void begin_lanes(ir::Program& program, Block& body, const Gang& gang) {
  if (body.empty()) return;
  const ir::Builder b{program, body.front()->span};
  auto* first = b.stmt<ir::Lanes>(gang.lane, gang.width);
  first->body = b.block();
  first->simd = true;
  const ir::LocalSet assigned = ir::assigned_in(body);
  Block alike;  // what lanes have in common, where it is assigned unless an iteration raises
  flow_of(body).for_each([&](const Local* local, int uses) {
    if (!(uses & Flow::kExposed) || !assigned.contains(local) || !local->type->is_real()) return;
    if (gang.find_gathered(local) || gang.is_extreme(local) || gang.is_found(local)) return;
    Stmt* clear = b.assign(const_cast<Local*>(local), b.zero(local->type));
    (local->lanes ? *first->body : alike).push_back(clear);
  });
  body.insert(body.begin(), alike.begin(), alike.end());
  if (!first->body->empty()) body.insert(body.begin(), first);
}

}  // namespace

// A local is an array of lanes where one run hands it on to another, or somebody asks about all
// lanes; else a variable inside its run.
void store_lanes(ir::Program& program, Block& body, const Gang& gang) {
  join_angles(program, body);
  join_runs(body);
  ir::LocalSet assigned, kept, whole;  // whole: touched by lanes without an iteration too
  ir::for_each_stmt(body, [&](const Stmt* s) {
    if (s->kind == ir::StmtKind::kEach || s->kind == ir::StmtKind::kSinCos) {
      assigned.insert(ir::assigned_in(s));
      ir::for_each_local_of(
          s, [&](const Local* local, ir::Access) { kept.insert(local), whole.insert(local); });
    }
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        const auto* any = ir::try_as<ir::Any>(part);
        if (any) kept.insert(any->local), whole.insert(any->local);
      });
    });
    const auto* lanes = ir::try_as<ir::Lanes>(s);
    if (!lanes) return;
    assigned.insert(ir::assigned_in(*lanes->body));
    for (const ir::Reduction& r : lanes->reductions) assigned.erase(r.local);
    flow_of(*lanes->body).for_each([&](const Local* local, int uses) {
      if (uses & Flow::kExposed) kept.insert(local);
      if (!lanes->count) whole.insert(local);
    });
  });
  for (const Gathered& g : gang.gathered) assigned.erase(g.reduction.local);
  ir::LocalSet lanes;
  for (const Local* local : assigned)
    if (kept.contains(local)) lanes.insert(local);
  const auto widths = mask_widths(body, lanes, gang.mask_bits, gang.width);
  for (const Local* local : lanes) {
    auto* stored = const_cast<Local*>(local);
    stored->lanes = gang.width;
    stored->counted = !whole.contains(local);
    stored->lane_bits = local->type->is_bool() ? widths.at(local) : 0;
  }
  begin_lanes(program, body, gang);
}

}  // namespace pyk2cu::emit
