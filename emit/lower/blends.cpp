// Both sides of a branch at once: see blends.h.
#include "emit/lower/blends.h"

#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::Binary;
using ir::BinaryOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

// ---- what statements do ------------------------------------------------------------------------

namespace {

// if value > local: …; local = value; nothing where the statement is another.
Extreme kept_in(const ir::If& branch, Stmt* s) {
  auto* a = ir::try_as<ir::Assign>(s);
  const auto* c = ir::try_as<ir::Compare>(branch.condition);
  if (!a || !c || c->op == ir::CompareOp::kEq || c->op == ir::CompareOp::kNe) return {};
  const bool above = c->op == ir::CompareOp::kGt || c->op == ir::CompareOp::kGe;
  if (ir::loaded(c->right) == a->local && ir::equal(c->left, a->value))
    return {a->local, a->value, above};
  if (ir::loaded(c->left) == a->local && ir::equal(c->right, a->value))
    return {a->local, a->value, !above};
  return {};
}

}  // namespace

Extreme extreme_of(Stmt* s) {
  const auto whole = [](const Extreme& e) { return is_whole(e.local) ? e : Extreme{}; };
  if (auto* a = ir::try_as<ir::Assign>(s)) {
    const auto* call = ir::try_as<ir::Builtin>(a->value);
    if (!call || call->args.size() != 2) return {};
    const bool is_max = call->row == &builtins::row(Id::builtins_max);
    if (!is_max && call->row != &builtins::row(Id::builtins_min)) return {};
    for (size_t k : {0, 1})
      if (ir::loaded(call->args[k]) == a->local)
        return whole({a->local, call->args[1 - k], is_max});
    return {};
  }
  auto* branch = ir::try_as<ir::If>(s);
  if (!branch || branch->body->size() != 1 || !branch->orelse->empty()) return {};
  return whole(kept_in(*branch, branch->body->front()));
}

bool keeps_extreme(const ir::If& branch) {
  return std::ranges::any_of(*branch.body, [&](Stmt* s) { return kept_in(branch, s).local; });
}

Step step_of(const Local* local, const Expr* value) {
  const auto* b = ir::try_as<Binary>(value);
  if (!b || !is_number(b->type)) return {};
  const bool is_left = ir::reads(b->left, local);
  if (is_left == ir::reads(b->right, local)) return {};
  const bool turns = b->op == BinaryOp::kAdd || b->op == BinaryOp::kMul;
  if (!turns && !(is_left && b->op == BinaryOp::kSub)) return {};
  const bool rounds = b->rounds && b->op == BinaryOp::kMul;
  return {b->op, is_left ? b->left : b->right, is_left ? b->right : b->left, rounds};
}

std::pair<Local*, Expr*> assigned(ir::Program& program, Stmt* s) {
  if (auto* a = ir::try_as<ir::Assign>(s)) return {a->local, a->value};
  const auto* u = ir::try_as<ir::Update>(s);
  Expr* value = u ? ir::Builder{program, s->span}.updated(*u) : nullptr;
  return value ? std::pair{u->place.local, value} : std::pair<Local*, Expr*>{};
}

// ---- both sides --------------------------------------------------------------------------------

// On the side that is not taken they change nothing that is read there, so that the other side may
// be done among them: where both give a variable a value, at once.
std::vector<Stmt*> Blends::both_sides(ir::If& s) {
  std::vector<Stmt*> rest(s.orelse->begin(), s.orelse->end());
  Local* taken = named(s.condition);
  for (Stmt* one : *s.body) {
    const auto other =
        is_plain(one) ? counterpart(assigned(program_, one).first, rest) : rest.end();
    if (other == rest.end()) {
      one_side(one, *s.body, taken, true);
      continue;
    }
    const auto [local, yes] = assigned(program_, one);
    choose(local, taken, yes, assigned(program_, *other).second);
    rest.erase(other);
  }
  for (Stmt* one : rest) one_side(one, *s.orelse, taken, false);
  unname(taken);
  return std::move(all_);
}

// A condition that one choice alone asks, and at once, needs no name: a comparison can stay where
// it is made then.
void Blends::unname(Local* taken) {
  const auto* asked = ir::as<ir::Assign>(all_.front());
  int reads = 0;
  for (const Stmt* s : all_)
    ir::for_each_local_in(s, [&](const Local* local, ir::Access access) {
      reads += local == taken && access == ir::Access::kRead;
    });
  if (reads != 1 || all_.size() < 2) return;
  ir::for_each_expr(all_[1], [&](Expr* whole) {
    ir::for_each_subexpr(whole, [&](Expr* e) {
      auto* select = ir::try_as<ir::Select>(e);
      if (!select || ir::loaded(select->condition) != taken) return;
      select->condition = asked->value;
      reads = 0;
    });
  });
  if (reads != 0) return;
  all_.erase(all_.begin());
  std::erase(f_.locals, taken);
}

// The statement that gives the variable its value, and may be done before all others.
std::vector<Stmt*>::iterator Blends::counterpart(const Local* local,
                                                 std::vector<Stmt*>& all) const {
  ir::LocalSet before;
  for (auto one = all.begin(); one != all.end(); ++one) {
    if (is_plain(*one) && assigned(program_, *one).first == local)
      return ir::reads_any(assigned(program_, *one).second, before) ? all.end() : one;
    bool touches = false;
    ir::for_each_local_in(*one, [&](const Local* used, ir::Access access) {
      touches = touches || used == local;
      if (access != ir::Access::kRead) before.insert(used);
    });
    if (touches) return all.end();
  }
  return all.end();
}

bool Blends::is_plain(Stmt* s) const {
  return s->kind != ir::StmtKind::kIf && !extreme_of(s).local;
}

Local* Blends::named(Expr* condition) {
  const ir::Builder b{program_, condition->span};
  f_.locals.push_back(b.temp("taken", types::boolean()));
  assign(f_.locals.back(), condition);
  return f_.locals.back();
}

void Blends::assign(Local* local, Expr* value) {
  all_.push_back(ir::Builder{program_, value->span}.assign(local, value));
}

Expr* Blends::blend(Local* taken, Expr* yes, Expr* no) const {
  const ir::Builder b{program_, yes->span};
  const ir::Const *left = ir::constant(yes), *right = ir::constant(no);
  if (left && right && yes->type->is_bool() && left->value.integer != right->value.integer)
    return left->value.integer ? b.load(taken) : b.negated(b.load(taken));
  return b.expr<ir::Select>(yes->type, b.load(taken), anywhere(yes), anywhere(no),
                            ir::Choice::kBits);
}

// local = yes if taken else no
void Blends::choose(Local* local, Local* taken, Expr* yes, Expr* no) {
  Expr* value = joined(local, taken, yes, no);
  if (!value) value = restarted(local, taken, yes, no);
  assign(local, value ? value : blend(taken, yes, no));
}

// Counts that one side begins anew:
//   n + a, b   ->   (n if taken else 0) + (a if taken else b)
// Null: they are something else.
Expr* Blends::restarted(const Local* local, Local* taken, Expr* yes, Expr* no) const {
  const Step left = step_of(local, yes), right = step_of(local, no);
  const bool is_yes = left.before != nullptr;
  const Step& step = is_yes ? left : right;
  Expr* other = is_yes ? no : yes;
  const bool counts = is_whole(local) && step.before && ir::loaded(step.before) == local &&
                      step.op != BinaryOp::kMul;
  if (!counts || ir::reads(other, local) || ir::is_int_const(other, 0)) return nullptr;
  const ir::Builder b{program_, yes->span};
  Expr* zero = b.zero(local->type);
  Expr* by = operand(step, BinaryOp::kAdd, local->type);
  Expr* before = is_yes ? blend(taken, step.before, zero) : blend(taken, zero, step.before);
  Expr* chosen = ir::equal(by, other) ? by : is_yes ? blend(taken, by, no) : blend(taken, yes, by);
  return b.expr<Binary>(local->type, BinaryOp::kAdd, before, chosen);
}

// Both compute it from the variable in the same way, by other numbers:
//   a * e + b, c * e   ->   (a if taken else c) * e + (b if taken else -0.0)
// Null: they do not.
Expr* Blends::joined(Local* local, Local* taken, Expr* yes, Expr* no) const {
  if (ir::loaded(yes) == local && ir::loaded(no) == local) return yes;
  const Step left = step_of(local, yes), right = step_of(local, no);
  const auto fits = [&](const Step& step, const Expr* e) {
    return step.before || ir::loaded(e) == local;
  };
  if (!fits(left, yes) || !fits(right, no)) return nullptr;
  BinaryOp op = left.before ? left.op : right.op;
  if (left.before && right.before && left.op != right.op) {
    if (left.op == BinaryOp::kMul || right.op == BinaryOp::kMul) return nullptr;
    op = BinaryOp::kAdd;
  }
  Expr* before =
      joined(local, taken, left.before ? left.before : yes, right.before ? right.before : no);
  if (!before) return nullptr;
  const ir::Builder b{program_, yes->span};
  Expr* by = blend(taken, operand(left, op, yes->type), operand(right, op, yes->type));
  auto* all = b.expr<Binary>(local->type, op, before, by);
  all->rounds = left.rounds || right.rounds;
  return all;
}

// What a side does the operation with; where it does none, what changes nothing. 0.0 added to -0.0
// would.
Expr* Blends::operand(const Step& step, BinaryOp op, const types::Type* type) const {
  const ir::Builder b{program_};
  if (step.before && step.op == op) return step.by;
  if (step.before) return b.expr<ir::Unary>(type, ir::UnaryOp::kNeg, step.by);
  if (op == BinaryOp::kMul) return type->is_float() ? b.floating(1, type) : b.integer(1, type);
  return type->is_float() && op == BinaryOp::kAdd ? b.floating(-0.0, type) : b.zero(type);
}

// A statement of one side, done where that is taken.
void Blends::one_side(Stmt* s, const ir::Block& side, Local* taken, bool is_yes) {
  if (const Extreme e = extreme_of(s); e.local) return extreme(e, taken, is_yes);
  const ir::Builder b{program_, s->span};
  if (auto* branch = ir::try_as<ir::If>(s)) {
    const auto both = [&](Expr* condition) {
      Expr* here = is_yes ? b.load(taken) : b.negated(b.load(taken));
      return b.plain(BinaryOp::kAnd, here, condition);
    };
    Local* then = named(both(anywhere(branch->condition)));
    Local* rest = branch->orelse->empty() ? nullptr : named(both(b.negated(b.load(then))));
    for (Stmt* one : *branch->body) one_side(one, *branch->body, then, true);
    for (Stmt* one : *branch->orelse) one_side(one, *branch->orelse, rest, true);
    return;
  }
  const auto [local, value] = assigned(program_, s);
  if (own_.at(&side).contains(local)) return assign(local, anywhere(value));
  Expr* kept = b.load(local);
  choose(local, taken, is_yes ? value : kept, is_yes ? kept : value);
}

void Blends::extreme(const Extreme& e, Local* taken, bool is_yes) {
  const ir::Builder b{program_, e.value->span};
  const types::Type* type = e.local->type;
  const Interval all = full(type);  // whose end no extreme takes for another
  Expr* least = b.integer(int64_t(e.is_max ? all.lo : all.hi), type);
  Expr* value = is_yes ? blend(taken, e.value, least) : blend(taken, least, e.value);
  const std::vector<Expr*> both{b.load(e.local), value};
  assign(e.local, b.builtin(e.is_max ? Id::builtins_max : Id::builtins_min, type, both));
}

}  // namespace pyk2cu::emit
