// Loops whose iterations may raise, a strip at a time: first whether any of it raises, then,
// mostly, the same without checks, which vectorises.
//
//   for i in range(n): out[i] = a[i] / b[i]
//   ->
//   const bool apart = disjoint(out, a, b) && n <= b.shape(0);
//   for (first = 0; first < n; first += 256) {
//     const last = min(first + 256, n);  bool checked = last - first < 8 || !apart;
//     if (!checked) for (i = first; i < last; ++i) checked |= b(i) == 0.0;
//     if (checked) …the loop as it was… else …the loop without checks…
//   }
//
// The checks are computed ahead of what they guard: they may read only what the strip does not
// change, at places that `apart` has found inside their arrays.
// In: a loop that fills lanes.  Out: Strips. Tested by tests/golden/lanes, tests/run/test_lanes.py.
#include <algorithm>

#include "emit/lower/clone.h"
#include "emit/lower/lanes.h"
#include "emit/lower/loops.h"
#include "emit/lower/walk.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kStrip = 256;  // iterations: what they read stays in the first-level cache

constexpr int64_t kFew = 8;  // iterations that vectors do not pay for

const builtins::Row kDisjoint{"lanes", "disjoint", "", builtins::kPure};

bool is_division_check(const Stmt* s) {
  return ir::as<ir::Raise>(ir::as<ir::If>(s)->body->front())->exception == "ZeroDivisionError";
}

class Stripper {
 public:
  Stripper(ir::Program& program, ir::Function& f, Facts& facts, ir::For& loop)
      : program_(program), f_(f), facts_(facts), loop_(loop), body_(*loop.body) {}

  Strips run(const std::vector<Around>& around) {
    if (!has_plain_bounds() || !varies() || is_read_behind() || !slice() || !loads_ahead())
      return {};
    ir::For* plain = part([&](Cloner& cloner, Block& to) {
      for (Stmt* s : body_)
        if (!is_check(s)) to.push_back(cloner.stmt(s));
    });
    if (!stores_its_own(*plain, Aliasing::kExcluded)) return {};
    facts_.loops[plain].simd = true;
    return make(*plain, around);
  }

 private:
  // ---- may it be done? ------------------------------------------------------------------------
  bool has_plain_bounds() const {
    const ir::Const* lo = constant(loop_.lo);
    return lo && lo->value.integer >= 0 && is_known(loop_.hi, body_, loop_.index);
  }

  // Checks that are the same in every iteration compilers take out of the loop themselves.
  bool varies() const {
    return std::any_of(body_.begin(), body_.end(), [&](Stmt* s) {
      return is_check(s) && !is_known(ir::as<ir::If>(s)->condition, body_, loop_.index);
    });
  }

  bool is_read_behind() const {
    if (loop_.reductions && !loop_.reductions->empty()) return true;
    if (loop_.last_private && !loop_.last_private->empty()) return true;
    bool found = false;
    for_each_stmt(body_, [&](Stmt* s) {
      if (s->kind != StmtKind::kAssign) return;
      const Local* local = ir::as<ir::Assign>(s)->local;
      found = found || local->maybe_unbound ||
              read_behind(f_.body, &loop_, local, false).value_or(true);
    });
    return found;
  }

  // Which statements the checks need: in_[k].
  bool slice() {
    in_.assign(body_.size(), false);
    std::vector<const Local*> needed;
    const auto need = [&](Expr* e) {
      for_each_subexpr(e, [&](Expr* part) {
        if (const Local* local = loaded(part)) needed.push_back(local);
      });
    };
    for (size_t k = body_.size(); k-- > 0;) {
      Stmt* s = body_[k];
      Block one{s};
      in_[k] = is_check(s) || std::any_of(needed.begin(), needed.end(),
                                          [&](const Local* local) { return assigns(one, local); });
      if (!in_[k]) continue;
      if (s->kind == StmtKind::kStore) return false;
      if (is_check(s))
        need(ir::as<ir::If>(s)->condition);
      else
        for_each_stmt(one, [&](Stmt* inner) { for_each_expr(inner, [&](Expr*& e) { need(e); }); });
    }
    return true;
  }

  // What the checks load is not stored before, and stays inside its array where `apart` says so.
  bool loads_ahead() {
    const bool explained = std::all_of(body_.begin(), body_.end(), [](const Stmt* s) {
      return !is_check(s) || is_division_check(s);
    });
    bool fits = true;
    for (size_t k = 0; k < body_.size(); ++k) {
      if (!in_[k]) continue;
      const auto load = [&](Expr* e) {
        if (e->kind != ExprKind::kElement) return;
        const auto& element = *ir::as<ir::Element>(e);
        const Local* array = loaded(element.array);
        for (size_t before = 0; before < k; ++before)
          fits = fits && !(body_[before]->kind == StmtKind::kStore &&
                           loaded(ir::as<ir::Store>(body_[before])->array) == array);
        const bool ours = loaded(element.indices->back().value) == loop_.index;
        // A `raise` of the source may be there to guard any index that is not checked here.
        fits = fits && (ours || explained) && (element.indices->size() == 1 || explained);
        fits = fits && (ours || is_known(element.indices->back().value, body_, loop_.index));
        if (fits && ours) remember(element);
      };
      if (is_check(body_[k])) {
        for_each_subexpr(ir::as<ir::If>(body_[k])->condition, load);
      } else {
        Block one{body_[k]};
        for_each_expr_in(one, load);
      }
    }
    return fits && arrays_are_bound();
  }

  void remember(const ir::Element& element) {
    const int axis = static_cast<int>(element.indices->size()) - 1;
    const auto same = [&](const auto& known) { return known.first == loaded(element.array); };
    if (std::none_of(ahead_.begin(), ahead_.end(), same))
      ahead_.push_back({loaded(element.array), axis});
  }

  bool arrays_are_bound() {
    const auto add = [&](std::vector<Local*>& list, Expr* array) {
      Local* local = loaded(array);
      if (std::find(list.begin(), list.end(), local) == list.end()) list.push_back(local);
    };
    for_each_stmt(body_, [&](Stmt* s) {
      if (s->kind != StmtKind::kStore) return;
      add(stored_, ir::as<ir::Store>(s)->array);
      add(arrays_, ir::as<ir::Store>(s)->array);
    });
    for_each_expr_in(body_, [&](Expr* e) {
      if (e->kind == ExprKind::kElement) add(arrays_, ir::as<ir::Element>(e)->array);
    });
    return std::none_of(arrays_.begin(), arrays_.end(),
                        [](const Local* local) { return local->maybe_unbound; });
  }

  // ---- pieces ---------------------------------------------------------------------------------
  template <class T>
  Expr* node(T e) {
    return program_.make<T>(std::move(e));
  }
  Expr* load(Local* local) {
    return node(ir::Load{{ExprKind::kLoad, local->type, loop_.span}, local});
  }
  Expr* number(int64_t n) {
    ir::Const c{{ExprKind::kConst, types::int64(), loop_.span}, {}};
    c.value.kind = ir::Value::Kind::kInt;
    c.value.integer = n;
    return node(c);
  }
  Expr* both(Expr* a, Expr* b) {
    if (!a || !b) return a ? a : b;
    return node(ir::Logical{{ExprKind::kLogical, types::boolean(), loop_.span}, true, a, b});
  }
  Local* temp(std::string_view name, const types::Type* type) {
    Local local;
    local.name = Symbol(name);
    local.type = type;
    local.span = loop_.span;
    local.is_temp = true;
    f_.locals.push_back(program_.make<Local>(local));
    return f_.locals.back();
  }
  Stmt* assign(Local* local, Expr* value) {
    return program_.make<ir::Assign>(ir::Assign{{StmtKind::kAssign, loop_.span}, local, value});
  }

  // A loop over one strip, whose body `fill` makes out of this loop's.
  template <class Fill>
  ir::For* part(Fill fill) {
    Cloner cloner(program_, f_, facts_);
    Local* index = cloner.renew(loop_.index);
    auto* to = program_.make<Block>();
    cloner.renew_assigned(body_);
    fill(cloner, *to);
    return program_.make<ir::For>(ir::For{{StmtKind::kFor, loop_.span},
                                          index,
                                          load(first_),
                                          load(last_),
                                          number(1),
                                          ir::LoopKind::kSerial,
                                          to,
                                          nullptr,
                                          nullptr});
  }

  ir::For* checks(Local* checked) {
    ir::For* made = part([&](Cloner& cloner, Block& to) {
      for (size_t k = 0; k < body_.size(); ++k) {
        if (!in_[k]) continue;
        if (!is_check(body_[k])) {
          to.push_back(cloner.stmt(body_[k]));
          continue;
        }
        Expr* condition = cloner.expr(ir::as<ir::If>(body_[k])->condition);
        Stmt* s = assign(checked, node(ir::Binary{{ExprKind::kBinary, types::boolean(), loop_.span},
                                                  ir::BinaryOp::kOr,
                                                  load(checked),
                                                  condition}));
        facts_.updates[s] = {ir::BinaryOp::kOr, condition, false};
        to.push_back(s);
      }
    });
    facts_.loops[made].simd = true;
    facts_.loops[made].simd_reductions = {{ir::ReduceOp::kOr, checked}};
    return made;
  }

  // ---- apart ----------------------------------------------------------------------------------
  bool is_fresh(const Local* local) {
    int sets = 0, fresh = 0;
    for_each_stmt(f_.body, [&](Stmt* s) {
      if (s->kind != StmtKind::kAssign || ir::as<ir::Assign>(s)->local != local) return;
      ++sets;
      fresh += ir::as<ir::Assign>(s)->value->kind == ExprKind::kNewArray;
    });
    return !local->is_param && sets == 1 && fresh == 1;
  }
  bool surely_apart(const Local* a, const Local* b) {
    return (is_fresh(a) && (is_fresh(b) || b->is_param)) || (is_fresh(b) && a->is_param);
  }

  Expr* apart() {
    Expr* all = nullptr;
    for (size_t k = 0; k < stored_.size(); ++k) {
      auto* args = program_.make<std::vector<Expr*>>(std::vector<Expr*>{load(stored_[k])});
      for (Local* other : arrays_) {
        const auto earlier = stored_.begin() + static_cast<long>(k) + 1;
        const bool done = std::find(stored_.begin(), earlier, other) != earlier;
        if (!done && !surely_apart(stored_[k], other)) args->push_back(load(other));
      }
      if (args->size() == 1) continue;
      all = both(
          all, node(ir::Builtin{
                   {ExprKind::kBuiltin, types::boolean(), loop_.span}, &kDisjoint, args, nullptr}));
    }
    for (const auto& [array, axis] : ahead_) {
      if (is_extent(loop_.hi, array, axis)) continue;
      Expr* extent = node(ir::Query{
          {ExprKind::kQuery, types::int64(), loop_.span}, ir::QueryOp::kShape, load(array), axis});
      Cloner cloner(program_, f_, facts_);
      all = both(all, node(ir::Compare{{ExprKind::kCompare, types::boolean(), loop_.span},
                                       types::CompareOp::kLe,
                                       cloner.expr(loop_.hi),
                                       extent}));
    }
    return all;
  }

  static bool is_extent(const Expr* e, const Local* array, int axis) {
    if (e->kind != ExprKind::kQuery) return false;
    const auto& q = *ir::as<ir::Query>(e);
    if (loaded(q.operand) != array) return false;
    return (q.op == ir::QueryOp::kLen && axis == 0) ||
           (q.op == ir::QueryOp::kShape && q.axis == axis);
  }

  // As far out as its operands are known.
  void hoist(Stmt* s, const std::vector<Around>& around) {
    Expr* value = ir::as<ir::Assign>(s)->value;
    for (const Around& at : around) {
      Block one{at.loop};
      bool known = true;
      for_each_subexpr(value, [&](Expr* part) {
        const Local* local = loaded(part);
        known = known && (!local || !assigns(one, local));
      });
      if (!known && at.loop != &loop_) continue;
      at.block->insert(std::find(at.block->begin(), at.block->end(), at.loop), s);
      return;
    }
  }

  // ---- the whole ------------------------------------------------------------------------------
  Expr* binary(ir::BinaryOp op, Expr* left, Expr* right) {
    Expr* e = node(ir::Binary{{ExprKind::kBinary, types::int64(), loop_.span}, op, left, right});
    facts_.plain.insert(e);
    return e;
  }
  Expr* negated(Expr* e) {
    return node(
        ir::Unary{{ExprKind::kUnary, types::boolean(), loop_.span}, types::UnaryOp::kNot, e});
  }

  // last = min(first + 256, n)
  Stmt* end_of_strip() {
    Expr* next = binary(ir::BinaryOp::kAdd, load(first_), number(kStrip));
    Cloner cloner(program_, f_, facts_);
    auto* ends = program_.make<std::vector<Expr*>>(std::vector<Expr*>{next, cloner.expr(loop_.hi)});
    return assign(last_, node(ir::Builtin{{ExprKind::kBuiltin, types::int64(), loop_.span},
                                          builtins::find("builtins.min"),
                                          ends,
                                          nullptr}));
  }

  // Must the strip be checked one by one whatever its checks say: short, or arrays overlap.
  Expr* surely_checked(const std::vector<Around>& around) {
    Expr* length = binary(ir::BinaryOp::kSub, load(last_), load(first_));
    Expr* is_short = node(ir::Compare{{ExprKind::kCompare, types::boolean(), loop_.span},
                                      types::CompareOp::kLt,
                                      length,
                                      number(kFew)});
    Expr* condition = apart();
    if (!condition) return is_short;
    Local* known = temp("apart", types::boolean());
    hoist(assign(known, condition), around);
    return node(ir::Logical{
        {ExprKind::kLogical, types::boolean(), loop_.span}, false, is_short, negated(load(known))});
  }

  Strips make(ir::For& plain, const std::vector<Around>& around) {
    Local* checked = temp("checked", types::boolean());
    ir::For* check = checks(checked);
    ir::For* one_by_one = part([&](Cloner& cloner, Block& to) { to = *cloner.block(body_); });
    auto* body = program_.make<Block>();
    body->push_back(end_of_strip());
    body->push_back(assign(checked, surely_checked(around)));
    body->push_back(choice(negated(load(checked)), check, nullptr));
    body->push_back(choice(load(checked), one_by_one, &plain));
    loop_.index = first_;
    loop_.step = number(kStrip);
    loop_.body = body;
    facts_.loops[&loop_].strips = true;
    return {check->body, plain.body};
  }

  Stmt* choice(Expr* condition, Stmt* yes, Stmt* no) {
    auto* body = program_.make<Block>(Block{yes});
    auto* orelse = no ? program_.make<Block>(Block{no}) : nullptr;
    return program_.make<ir::If>(ir::If{{StmtKind::kIf, loop_.span}, condition, body, orelse});
  }

  ir::Program& program_;
  ir::Function& f_;
  Facts& facts_;
  ir::For& loop_;
  Block& body_;
  Local* first_ = temp("first", types::int64());
  Local* last_ = temp("last", types::int64());
  std::vector<bool> in_{};
  std::vector<std::pair<Local*, int>> ahead_{};  // loaded by checks: array, axis of the index
  std::vector<Local*> stored_{}, arrays_{};
};

}  // namespace

Strips strips(ir::Program& program, ir::Function& f, Facts& facts, ir::For& loop,
              const std::vector<Around>& around) {
  return Stripper(program, f, facts, loop).run(around);
}

}  // namespace pyk2cu::emit
