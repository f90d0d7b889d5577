// t = e; …; use(t)   ->   …; use(e)        for temporaries of the compiler that are used once
//
// The value moves only over statements that do not change it, never into a loop, and effects keep
// their order. Locals that nobody reads disappear. In: a function.  Out: fewer statements.
// Tested by tests/golden/functions.
#include <algorithm>

#include "emit/lower/lower.h"
#include "emit/lower/walk.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

class Temps {
 public:
  Temps(ir::Program& program, ir::Function& f, Facts& facts)
      : program_(program), f_(f), facts_(facts) {}

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      count();
      changed = block(f_.body);
    }
  }

 private:
  // What is printed of a statement: an update prints its operand, not the whole value.
  template <class F>
  void printed_exprs(Stmt* s, F&& f) {
    const auto update = facts_.updates.find(s);
    if (update == facts_.updates.end()) return for_each_expr(s, f);
    f(update->second.value);
    if (s->kind != StmtKind::kStore) return;
    f(ir::as<ir::Store>(s)->array);
    for (ir::Index& i : *ir::as<ir::Store>(s)->indices) f(i.value);
  }

  void count() {
    uses_.clear();
    sets_.clear();
    for_each_stmt(f_.body, [&](Stmt* s) {
      if (s->kind == StmtKind::kAssign) ++sets_[ir::as<ir::Assign>(s)->local];
      printed_exprs(s, [&](Expr*& e) {
        for_each_subexpr(e, [&](Expr* part) {
          if (const Local* local = loaded(part)) ++uses_[local];
        });
      });
      if (s->kind == StmtKind::kAssign && facts_.updates.count(s) != 0)
        ++uses_[ir::as<ir::Assign>(s)->local];
    });
  }

  bool block(Block& b) {
    for (size_t i = 0; i < b.size(); ++i) {
      Stmt* s = b[i];
      bool changed = false;
      for_each_block(s, [&](Block& inner) { changed = changed || block(inner); });
      if (changed) return true;
      if (s->kind == StmtKind::kIf && select(b, i, *ir::as<ir::If>(s))) return true;
      if (s->kind != StmtKind::kAssign) continue;
      auto& a = *ir::as<ir::Assign>(s);
      if (drop_unused(b, i, a) || fold(b, i, a)) return true;
    }
    return false;
  }

  // if (c) t = x; else t = y;   ->   t = c ? x : y
  bool select(Block& b, size_t i, ir::If& s) {
    if (!s.orelse || s.orelse->size() != 1 || s.body->size() != 1) return false;
    Stmt *yes = (*s.body)[0], *no = (*s.orelse)[0];
    if (yes->kind != StmtKind::kAssign || no->kind != StmtKind::kAssign) return false;
    auto &x = *ir::as<ir::Assign>(yes), &y = *ir::as<ir::Assign>(no);
    if (x.local != y.local || !x.local->is_temp || !x.local->type->is_scalar()) return false;
    if (sets_[x.local] != 2 || has_effect(x.value) || has_effect(y.value)) return false;
    if (x.value->type != y.value->type) return false;
    Expr* both = program_.make<ir::Select>(
        ir::Select{{ExprKind::kSelect, x.value->type, s.span}, s.condition, x.value, y.value});
    b[i] = program_.make<ir::Assign>(ir::Assign{{StmtKind::kAssign, s.span}, x.local, both});
    return true;
  }

  bool drop_unused(Block& b, size_t i, ir::Assign& a) {
    if (a.local->is_param || uses_[a.local] != 0 || facts_.updates.count(&a) != 0) return false;
    const bool call =
        a.value->kind == ExprKind::kCall && !ir::as<ir::Call>(a.value)->callee->may_raise;
    const bool builtin = a.value->kind == ExprKind::kBuiltin;
    if (!has_effect(a.value)) {
      b.erase(b.begin() + static_cast<long>(i));
      return true;
    }
    if (!call && !builtin) return false;
    b[i] = program_.make<ir::Eval>(ir::Eval{{StmtKind::kEval, a.span}, a.value});
    return true;
  }

  bool fold(Block& b, size_t i, ir::Assign& a) {
    if (!a.local->is_temp || uses_[a.local] != 1 || sets_[a.local] != 1) return false;
    if (a.value->kind == ExprKind::kNewArray || facts_.updates.count(&a) != 0) return false;
    if (a.value->type != a.local->type) return false;
    const bool raises =
        a.value->kind == ExprKind::kCall && ir::as<ir::Call>(a.value)->callee->may_raise;
    for (size_t k = i + 1; k < b.size(); ++k) {
      if (Expr** slot = find_use(b[k], a.local)) {
        if (!may_enter(b[k], slot, a.value, raises, k == i + 1)) return false;
        if (*slot != a.value) replace(b[k], a.local, a.value);
        b.erase(b.begin() + static_cast<long>(i));
        return true;
      }
      if (!may_cross(b[k], a.value)) return false;
    }
    return false;
  }

  // The slot of the statement's own expressions in which `local` is read.
  Expr** find_use(Stmt* s, const Local* local) {
    Expr** found = nullptr;
    printed_exprs(s, [&](Expr*& e) {
      if (reads(e, local)) found = &e;
    });
    return found;
  }

  bool may_enter(Stmt* s, Expr** slot, Expr* value, bool raises, bool adjacent) {
    if (s->kind == StmtKind::kWhile) return false;
    const bool whole = loaded(*slot) != nullptr;
    if (raises) {
      const bool place = s->kind == StmtKind::kAssign || s->kind == StmtKind::kReturn;
      return adjacent && whole && place && facts_.updates.count(s) == 0;
    }
    if (!has_effect(value)) return !reads_memory(value) || !disturbs(s);
    if (!adjacent) return false;
    // An effect: nothing else in the statement may touch memory or have one.
    bool alone = true;
    printed_exprs(s, [&](Expr*& e) {
      alone = alone && !has_effect(e) && !reads_memory(e) && !is_conditional(e, value);
    });
    return alone;
  }

  // Does the statement have an effect before or while it evaluates its operands? A call that is the
  // whole value comes after its arguments.
  bool disturbs(Stmt* s) {
    bool found = false;
    printed_exprs(s, [&](Expr*& e) {
      const bool whole = e->kind == ExprKind::kCall || e->kind == ExprKind::kBuiltin;
      if (!whole)
        found = found || has_effect(e);
      else
        for_each_operand(e, [&](Expr*& arg) { found = found || has_effect(arg); });
    });
    return found || (s->kind == StmtKind::kStore && has_effect(ir::as<ir::Store>(s)->value));
  }

  // Parts that may not be evaluated at all.
  static bool is_conditional(Expr* e, Expr*) {
    bool found = false;
    for_each_subexpr(e, [&](Expr* part) {
      found = found || part->kind == ExprKind::kLogical || part->kind == ExprKind::kSelect;
    });
    return found;
  }

  // Does `value` mean the same behind the statement?
  bool may_cross(Stmt* s, Expr* value) {
    if (has_effect(value)) return false;
    bool memory = reads_memory(value), same = true;
    Block one{s};
    for_each_stmt(one, [&](Stmt* inner) {
      if (inner->kind == StmtKind::kAssign)
        same = same && !reads(value, ir::as<ir::Assign>(inner)->local);
      if (inner->kind == StmtKind::kFor)
        same = same && !reads(value, ir::as<ir::For>(inner)->index);
      if (inner->kind == StmtKind::kStore) same = same && !memory;
      for_each_expr(inner, [&](Expr*& e) { same = same && !(memory && has_effect(e)); });
    });
    return same;
  }

  void replace(Stmt* s, const Local* local, Expr* value) {
    const auto visit = [&](auto&& self, Expr*& slot) -> void {
      if (loaded(slot) == local) {
        slot = value;
        return;
      }
      for_each_operand(slot, [&](Expr*& inner) { self(self, inner); });
    };
    printed_exprs(s, [&](Expr*& e) { visit(visit, e); });
  }

  ir::Program& program_;
  ir::Function& f_;
  Facts& facts_;
  std::unordered_map<const Local*, int> uses_{}, sets_{};
};

}  // namespace

void temps(ir::Program& program, ir::Function& f, Facts& facts) { Temps(program, f, facts).run(); }

}  // namespace pyk2cu::emit
