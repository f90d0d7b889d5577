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
// Truths that one side sets are no choice at all: of such branches C++ compilers make ways, of `&`
// and `|` vectors.
//
// In:   functions behind lanes, in their final form.  Out: in loops, Select::of_both and by_bits,
// of integers and truths that a few operations without a division compute; `&` and `|`. Tested by
// tests/golden/passes/choices.py, tests/run/test_choices.py and tests/run/test_streaks.py.
#include "emit/lower/flow.h"
#include "emit/lower/known.h"
#include "emit/lower/lower.h"
#include "emit/lower/parity.h"
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

bool is_simple(const Binary& b) {
  switch (b.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    case BinaryOp::kFloorDiv:
      return ir::is_int_const(b.right, 2);
    default:
      return false;
  }
}

// Of numbers and variables, whatever they are: no memory, nothing that is slow or raises.
bool is_cheap(const Expr* e, int& operations) {
  bool simple = e->type->is_int();
  if (const auto* b = ir::try_as<Binary>(e)) {
    simple = simple && is_simple(*b);
    ++operations;
  } else if (e->kind == ir::ExprKind::kConvert || e->kind == ir::ExprKind::kUnary) {
    ++operations;
  } else {
    simple = simple && (ir::loaded(e) || ir::constant(e));
  }
  ir::for_each_operand(e, [&](const Expr* part) { simple = simple && is_cheap(part, operations); });
  return simple;
}

// What both sides of a branch do.
struct Sides {
  ir::LocalSet assigned{};
  int operations = 0;
  bool sets = false;  // some value is none that is counted on
};

// Of such numbers and of truths.
bool is_cheap_condition(const Expr* e, int& operations) {
  if (e->kind == ir::ExprKind::kCompare) {
    const auto* c = ir::as<ir::Compare>(e);
    return ++operations, is_cheap(c->left, operations) && is_cheap(c->right, operations);
  }
  const auto* u = ir::try_as<ir::Unary>(e);
  if (!e->type->is_bool()) return false;
  if (ir::loaded(e) || ir::constant(e)) return true;
  if (e->kind != ir::ExprKind::kLogical && !(u && u->op == ir::UnaryOp::kNot)) return false;
  bool cheap = true;
  ir::for_each_operand(
      e, [&](const Expr* part) { cheap = cheap && is_cheap_condition(part, operations); });
  return cheap;
}

class Choices {
 public:
  Choices(ir::Program& program, ir::Function& f) : program_(program), f_(f) {}

  void block(Block& b, Stmt* loop) {
    for (size_t k = 0; k < b.size(); ++k) {
      const bool turns = b[k]->kind == ir::StmtKind::kFor || b[k]->kind == ir::StmtKind::kWhile;
      ir::for_each_block(b[k], [&](Block& inner) { block(inner, turns ? b[k] : loop); });
      auto* branch = loop ? ir::try_as<ir::If>(b[k]) : nullptr;
      if (!branch) continue;
      if (parity_of(branch->condition).of) {
        b[k] = chosen(*branch);
      } else if (Stmt* truth = truth_of(*branch)) {
        b[k] = truth;
      } else if (is_of_data(*branch, *loop)) {
        const std::vector<Stmt*> all = both_sides(*branch);
        b.erase(b.begin() + ptrdiff_t(k));
        b.insert(b.begin() + ptrdiff_t(k), all.begin(), all.end());
        k += all.size() - 1;
      }
    }
  }

 private:
  // ---- truths ----------------------------------------------------------------------------------
  // if c: flag = false   ->   flag = flag & !c; null: it does something else.
  Stmt* truth_of(const ir::If& s) const {
    if (s.body->size() != 1 || !s.orelse->empty() || ir::has_effect(s.condition)) return nullptr;
    const auto* a = ir::try_as<ir::Assign>(s.body->front());
    const ir::Const* value = a ? ir::constant(a->value) : nullptr;
    if (!value || !a->local->type->is_bool() || a->local->lanes != 0 || a->local->maybe_unbound)
      return nullptr;
    const ir::Builder b{program_, s.span};
    const bool is_set = value->value.integer != 0;
    return b.assign(a->local, b.plain(is_set ? BinaryOp::kOr : BinaryOp::kAnd, b.load(a->local),
                                      is_set ? s.condition : b.negated(s.condition)));
  }

  // ---- by what arrays hold ---------------------------------------------------------------------
  bool is_of_data(const ir::If& s, const Stmt& loop) const {
    if (loop.kind != ir::StmtKind::kFor || s.body->empty() || s.orelse->empty()) return false;
    if (ir::has_effect(s.condition)) return false;
    Sides sides;
    for (const Block* side : {s.body, s.orelse})
      for (Stmt* one : *side)
        if (!is_simple(one, sides)) return false;
    if (!sides.sets || sides.operations > 2 * kFew) return false;
    return hangs_on_data(s.condition, loop) && !steer(sides.assigned, loop, s);
  }

  static bool is_whole(const Local* local) {
    return local && local->type->is_int() && local->type->bits >= 32 && local->lanes == 0;
  }

  bool is_simple(Stmt* s, Sides& sides, bool inside = false) const {
    if (const Extreme extreme = extreme_of(s); extreme.local) {
      sides.operations += 2;
      sides.sets = true;
      sides.assigned.insert(extreme.local);
      return is_whole(extreme.local) && is_cheap(extreme.value, sides.operations);
    }
    if (const auto* branch = ir::try_as<ir::If>(s); branch && !inside) {
      bool simple = is_cheap_condition(branch->condition, sides.operations);
      for (const Block* side : {branch->body, branch->orelse})
        for (Stmt* one : *side) simple = simple && is_simple(one, sides, true);
      return simple;
    }
    const auto [local, value] = assigned(s);
    if (!local || value->type != local->type) return false;
    sides.sets = sides.sets || s->kind == ir::StmtKind::kAssign;
    sides.assigned.insert(local);
    if (local->type->is_bool() && local->lanes == 0)
      return is_cheap_condition(value, sides.operations);
    return is_whole(local) && is_cheap(value, sides.operations);
  }

  // if value > local: local = value; local = max(local, value)
  struct Extreme {
    Local* local = nullptr;  // null: it is something else
    Expr* value = nullptr;
    bool is_max = false;
  };
  static Extreme extreme_of(Stmt* s) {
    if (auto* a = ir::try_as<ir::Assign>(s)) {
      const auto* call = ir::try_as<ir::Builtin>(a->value);
      if (!call || call->args.size() != 2) return {};
      const bool is_max = call->row == &builtins::row(builtins::Id::builtins_max);
      if (!is_max && call->row != &builtins::row(builtins::Id::builtins_min)) return {};
      for (size_t k : {0, 1})
        if (ir::loaded(call->args[k]) == a->local) return {a->local, call->args[1 - k], is_max};
      return {};
    }
    const auto* branch = ir::try_as<ir::If>(s);
    if (!branch || branch->body->size() != 1 || !branch->orelse->empty()) return {};
    auto* a = ir::try_as<ir::Assign>(branch->body->front());
    const auto* c = ir::try_as<ir::Compare>(branch->condition);
    if (!a || !c || c->op == ir::CompareOp::kEq || c->op == ir::CompareOp::kNe) return {};
    const bool above = c->op == ir::CompareOp::kGt || c->op == ir::CompareOp::kGe;
    if (ir::loaded(c->right) == a->local && ir::equal(c->left, a->value))
      return {a->local, a->value, above};
    if (ir::loaded(c->left) == a->local && ir::equal(c->right, a->value))
      return {a->local, a->value, !above};
    return {};
  }

  // Does it read elements, or a variable that the loop takes from one?
  static bool hangs_on_data(const Expr* condition, const Stmt& loop) {
    if (ir::reads_memory(condition)) return true;
    bool found = false;
    ir::for_each_block(&loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        const auto* a = ir::try_as<ir::Assign>(s);
        found = found || (a && ir::reads_memory(a->value) && ir::reads(condition, a->local));
      });
    });
    return found;
  }

  // Does an address or a condition in the loop hang on these? Or does the next turn wait for none
  // of them? C++ compilers make vectors then.
  static bool steer(ir::LocalSet locals, const Stmt& loop, const ir::If& s) {
    bool found = false, is_carried = false;
    const Flow turn = flow_of(*ir::as<ir::For>(&loop)->body);
    for (const Local* local : locals) is_carried = is_carried || turn.exposes(local);
    if (!is_carried) return true;
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
    if (ir::reads_any(s.condition, locals)) return true;
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
        const bool values = one->kind == ir::StmtKind::kAssign ||
                            one->kind == ir::StmtKind::kUpdate || one->kind == ir::StmtKind::kStore;
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

  // The statements in place of the branch. On the side that is not taken they change nothing, so
  // that the other side may be done among them: where both give a variable a value, at once.
  std::vector<Stmt*> both_sides(ir::If& s) {
    std::vector<Stmt*> all, rest(s.orelse->begin(), s.orelse->end());
    Local* taken = named("taken", s.condition, all);
    for (Stmt* one : *s.body) {
      const auto other = is_plain(one) ? counterpart(assigned(one).first, rest) : rest.end();
      if (other == rest.end()) {
        one_side(one, taken, true, all);
        continue;
      }
      add(assigned(one).first, taken, assigned(one).second, assigned(*other).second, all);
      rest.erase(other);
    }
    for (Stmt* one : rest) one_side(one, taken, false, all);
    return all;
  }

  // The statement that gives the variable its value, and may be done before all others.
  std::vector<Stmt*>::iterator counterpart(const Local* local, std::vector<Stmt*>& all) const {
    ir::LocalSet before;
    for (auto one = all.begin(); one != all.end(); ++one) {
      if (is_plain(*one) && assigned(*one).first == local)
        return ir::reads_any(assigned(*one).second, before) ? all.end() : one;
      bool touches = false;
      ir::for_each_local_in(*one, [&](const Local* used, ir::Access access) {
        touches = touches || used == local;
        if (access != ir::Access::kRead) before.insert(used);
      });
      if (touches) return all.end();
    }
    return all.end();
  }

  bool is_plain(Stmt* s) const { return s->kind != ir::StmtKind::kIf && !extreme_of(s).local; }

  Local* named(std::string_view stem, Expr* condition, std::vector<Stmt*>& all) {
    const ir::Builder b{program_, condition->span};
    f_.locals.push_back(b.temp(stem, types::boolean()));
    all.push_back(b.assign(f_.locals.back(), condition));
    return f_.locals.back();
  }

  Expr* blend(Local* taken, Expr* yes, Expr* no) const {
    const ir::Builder b{program_, yes->span};
    const ir::Const *left = ir::constant(yes), *right = ir::constant(no);
    if (left && right && yes->type->is_bool() && left->value.integer != right->value.integer)
      return left->value.integer ? b.load(taken) : b.negated(b.load(taken));
    auto* both = b.expr<ir::Select>(yes->type, b.load(taken), anyhow(yes), anyhow(no));
    both->by_bits = true;
    return both;
  }

  // local = yes if taken else no; what one side alone adds to it: that, or 0.
  void add(Local* local, Local* taken, Expr* yes, Expr* no, std::vector<Stmt*>& all) const {
    const ir::Builder b{program_, yes->span};
    Binary* sum = ir::try_as<Binary>(ir::loaded(no) == local ? yes : no);
    const bool is_yes = sum == yes, one_side = ir::loaded(is_yes ? no : yes) == local;
    if (one_side && sum && sum->op == BinaryOp::kAdd && ir::loaded(sum->left) == local) {
      Expr* nothing = b.zero(local->type);
      sum->right = is_yes ? blend(taken, sum->right, nothing) : blend(taken, nothing, sum->right);
      return all.push_back(b.assign(local, sum));
    }
    all.push_back(b.assign(local, blend(taken, yes, no)));
  }

  // What one side does, where it is taken.
  void one_side(Stmt* s, Local* taken, bool is_yes, std::vector<Stmt*>& all) {
    const ir::Builder b{program_, s->span};
    if (const Extreme extreme = extreme_of(s); extreme.local) {
      const types::Type* type = extreme.local->type;
      const Interval all_values = full(type);  // whose end no extreme takes for another
      Expr* least = b.integer(int64_t(extreme.is_max ? all_values.lo : all_values.hi), type);
      Expr* value =
          is_yes ? blend(taken, extreme.value, least) : blend(taken, least, extreme.value);
      const auto id = extreme.is_max ? builtins::Id::builtins_max : builtins::Id::builtins_min;
      const std::vector<Expr*> both{b.load(extreme.local), value};
      return all.push_back(b.assign(extreme.local, b.builtin(id, type, both)));
    }
    if (auto* branch = ir::try_as<ir::If>(s)) {
      const auto both = [&](Expr* condition) {
        return b.plain(BinaryOp::kAnd, is_yes ? b.load(taken) : b.negated(b.load(taken)),
                       condition);
      };
      Expr* fails = b.negated(ir::Cloner(program_).expr(branch->condition));
      Local* then = named("taken", both(branch->condition), all);
      Local* rest = branch->orelse->empty() ? nullptr : named("taken", both(fails), all);
      for (Stmt* one : *branch->body) one_side(one, then, true, all);
      for (Stmt* one : *branch->orelse) one_side(one, rest, true, all);
      return;
    }
    const auto [local, value] = assigned(s);
    if (is_yes)
      add(local, taken, value, b.load(local), all);
    else
      add(local, taken, b.load(local), value, all);
  }

  // ---- by odd and even -------------------------------------------------------------------------
  Stmt* chosen(ir::If& s) const {
    if (s.body->size() != 1 || s.orelse->size() != 1) return &s;
    const auto [left, yes] = assigned(s.body->front());
    const auto [right, no] = assigned(s.orelse->front());
    int operations = 0;
    const bool fits = is_whole(left) && left == right && yes->type == no->type &&
                      is_cheap(yes, operations) && is_cheap(no, operations) && operations <= kFew;
    if (!fits) return &s;
    const ir::Builder b{program_, s.span};
    auto* both = b.expr<ir::Select>(yes->type, s.condition, anyhow(yes), anyhow(no));
    both->of_both = true;
    return b.assign(left, both);
  }

  // What a statement gives a variable; null: it does something else.
  std::pair<Local*, Expr*> assigned(Stmt* s) const {
    if (auto* a = ir::try_as<ir::Assign>(s)) return {a->local, a->value};
    const auto* u = ir::try_as<ir::Update>(s);
    Expr* value = u ? ir::Builder{program_, s->span}.updated(*u) : nullptr;
    return value ? std::pair{u->place.local, value} : std::pair<Local*, Expr*>{};
  }

  // As it may be computed where the other one is taken: it may overflow there.
  static Expr* anyhow(Expr* e) {
    ir::for_each_subexpr(e, [](Expr* part) {
      if (auto* b = ir::try_as<Binary>(part)) b->natural = b->plain = false;
      if (auto* u = ir::try_as<ir::Unary>(part)) u->plain = false;
    });
    return e;
  }

  ir::Program& program_;
  ir::Function& f_;
};

}  // namespace

void choices(ir::Program& program, ir::Function& f) { Choices(program, f).block(f.body, nullptr); }

}  // namespace pyk2cu::emit
