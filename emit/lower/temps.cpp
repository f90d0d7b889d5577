// t = e; …; use(t)   ->   …; use(e)        for temporaries of the compiler that are used once
// t = e; …; x = t    ->   x = e; …        where nothing between them mentions x, or leaves a loop
//
// The value moves only over statements that it does not interfere with, never into a loop, and
// effects keep their order. Locals that nobody reads disappear. One walk backwards drops, one walk
// forwards moves: values on their way wait in a short list, from which every statement takes what
// it uses and strikes out what it would change.
// In: functions.  Out: fewer statements. Tested by tests/golden/functions.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr size_t kMaxWaiting = 24;  // values on their way; older ones stay where they are

double as_float(const ir::Const& c, int bits) {
  const auto rounded = [&](auto value) {
    return bits == 32 ? double(float(value)) : double(value);
  };
  return c.type->is_signed ? rounded(c.value.integer) : rounded(uint64_t(c.value.integer));
}

// g = 0; v = float64(g)   ->   g = 0; v = 0.0     where a branch gives a variable another type.
void say_constants(ir::Program& program, Block& b) {
  const ir::Assign* before = nullptr;
  for (Stmt* s : b) {
    ir::for_each_block(s, [&](Block& inner) { say_constants(program, inner); });
    auto* a = ir::try_as<ir::Assign>(s);
    const auto* convert = a ? ir::try_as<ir::Convert>(a->value) : nullptr;
    const ir::Const* c = before ? ir::constant(before->value) : nullptr;
    const bool is_next = convert && c && ir::loaded(convert->operand) == before->local;
    if (is_next && c->type->is_int() && convert->type->is_float())
      a->value =
          ir::Builder{program, s->span}.floating(as_float(*c, convert->type->bits), convert->type);
    before = a;
  }
}

class Temps {
 public:
  Temps(ir::Program& program, ir::Function& f) : program_(program), effects_(f) {
    say_constants(program, f.body);
    for (const ir::Param& p : f.params) params_.insert(p.local);
    for (const Stmt* s : f.body)
      ir::for_each_local_in(s, [&](const Local* local, ir::Access access) {
        (access == ir::Access::kWrite ? sets_ : uses_)[local] += 1;
      });
    name(f.body);
    drop(f.body);
    move(f.body);
  }

 private:
  // ---- values that have a name -----------------------------------------------------------------
  void name(Block& b) {
    std::unordered_map<const Local*, size_t> made;  // by which statement
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt* s = b[k];
      ir::for_each_block(s, [&](Block& inner) { name(inner); });
      auto* a = ir::try_as<ir::Assign>(s);
      if (!a) continue;
      const Local* t = ir::loaded(a->value);
      const auto found = t ? made.find(t) : made.end();
      if (found != made.end() && a->local->type == t->type &&
          !mentions_or_leaves(b, found->second + 1, k, a->local)) {
        ir::as<ir::Assign>(b[found->second])->local = a->local;
        b[k] = nullptr;
        uses_[t] = sets_[t] = 0;
      } else if (a->local->is_temp && uses_[a->local] == 1 && sets_[a->local] == 1) {
        made[a->local] = k;
      }
    }
    std::erase(b, nullptr);
  }

  static bool mentions_or_leaves(const Block& b, size_t from, size_t to, const Local* local) {
    bool found = false;
    const auto look = [&](const Local* one, ir::Access) { found = found || one == local; };
    const auto leaves = [](const Stmt* s) {
      return s->kind == StmtKind::kBreak || s->kind == StmtKind::kContinue;
    };
    for (size_t k = from; k < to && !found; ++k) {
      if (!b[k]) continue;
      ir::for_each_local_in(b[k], look);
      found = found || ir::any_stmt({b[k]}, leaves);
    }
    return found;
  }

  // ---- values that nobody reads ----------------------------------------------------------------
  void drop(Block& b) {
    for (size_t k = b.size(); k-- > 0;) {
      Stmt* s = b[k];
      ir::for_each_block(s, [&](Block& inner) { drop(inner); });
      auto* a = ir::try_as<ir::Assign>(s);
      if (!a || a->local->is_param || uses_[a->local] > 0) continue;
      if (!ir::has_effect(a->value)) {
        ir::for_each_local_in(s, [&](const Local* local, ir::Access access) {
          if (access != ir::Access::kWrite) --uses_[local];
        });
        b[k] = nullptr;
      } else if (!ir::may_lack_memory(a->value)) {
        b[k] = ir::Builder{program_, s->span}.stmt<ir::Eval>(a->value);
      }
    }
    std::erase(b, nullptr);
  }

  // ---- values on their way ---------------------------------------------------------------------
  struct Waiting {
    size_t at = 0;  // where the Assign stands
    ir::Assign* assign = nullptr;
    ir::Effects effects{};
    ir::LocalSet reads{};
    bool has_effect = false;
  };

  void move(Block& b) {
    std::vector<Waiting> waiting;
    std::vector<bool> moved(b.size(), false);
    for (size_t k = 0; k < b.size(); ++k) {
      if (auto* s = ir::try_as<ir::If>(b[k]))
        if (Stmt* select = select_of(*s)) b[k] = select;
      take(b[k], k, waiting, moved);
      cross(b[k], waiting);
      ir::for_each_block(b[k], [&](Block& inner) { move(inner); });
      if (auto* a = ir::try_as<ir::Assign>(b[k]); a && may_move(*a)) {
        if (waiting.size() == kMaxWaiting) waiting.erase(waiting.begin());
        waiting.push_back(waiting_for(*a, k));
      }
    }
    size_t next = 0;
    std::erase_if(b, [&](const Stmt*) { return moved[next++]; });
  }

  bool may_move(const ir::Assign& a) {
    return a.local->is_temp && uses_[a.local] == 1 && sets_[a.local] == 1 &&
           !ir::may_lack_memory(a.value);
  }

  Waiting waiting_for(ir::Assign& a, size_t at) {
    Waiting w{at, &a, effects_.of(a.value), {}, ir::has_effect(a.value)};
    ir::for_each_subexpr(std::as_const(a.value), [&](const Expr* e) {
      if (const Local* local = ir::loaded(e)) w.reads.insert(local);
    });
    return w;
  }

  // Puts waiting values where the statement itself reads their temps.
  void take(Stmt* s, size_t at, std::vector<Waiting>& waiting, std::vector<bool>& moved) {
    if (waiting.empty()) return;
    std::vector<std::pair<Expr**, Expr**>> loads;  // the load, and the whole operand around it
    ir::for_each_expr(s, [&](Expr*& whole) { find_loads(whole, whole, loads); });
    for (const auto& [slot, whole] : loads) {
      Expr* load = *slot;
      const auto it = std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& w) {
        return w.assign->local == ir::loaded(load);
      });
      if (it == waiting.end()) continue;
      *slot = it->assign->value;
      const bool adjacent = previous(at, moved) == it->at;
      if (may_enter(*s, *whole, *slot, *it, adjacent))
        moved[it->at] = true;
      else
        *slot = load;
      waiting.erase(it);
    }
  }

  static void find_loads(Expr*& e, Expr*& whole, std::vector<std::pair<Expr**, Expr**>>& out) {
    const Local* local = ir::loaded(e);
    if (local && local->is_temp) out.push_back({&e, &whole});
    ir::for_each_operand(e, [&](Expr*& operand) { find_loads(operand, whole, out); });
  }

  // The statement before this one that is still there.
  static size_t previous(size_t at, const std::vector<bool>& moved) {
    while (at > 0 && moved[at - 1]) --at;
    return at - 1;
  }

  // The value stands at `slot` now, in the operand `whole` of the statement.
  static bool may_enter(const Stmt& s, const Expr* whole, const Expr* slot, const Waiting& w,
                        bool adjacent) {
    if (s.kind == StmtKind::kWhile) return false;  // its condition is evaluated in every turn
    if (w.has_effect) return adjacent && ir::is_in_order(&s);
    if (!ir::reads_memory(w.assign->value)) return true;
    // No effect of the statement may come before: of another operand, or beside it in its own,
    // unless that is a call of which it is an argument.
    bool before = false;
    ir::for_each_expr(&s, [&](const Expr* e) {
      const bool call = e->kind == ExprKind::kCall || e->kind == ExprKind::kBuiltin;
      if (e == whole && e != slot && call)
        ir::for_each_operand(e, [&](const Expr* arg) { before = before || ir::has_effect(arg); });
      else
        before = before || ir::has_effect(e);
    });
    return !before;
  }

  // Strikes out what does not mean the same behind the statement.
  void cross(const Stmt* s, std::vector<Waiting>& waiting) {
    if (waiting.empty()) return;
    const ir::Effects theirs = effects_.of(s);
    const ir::LocalSet assigned = ir::assigned_in(s);
    ir::LocalSet used;  // inside of its blocks: values do not move in there
    ir::for_each_block(s, [&](const Block& inner) {
      for (const Stmt* one : inner)
        ir::for_each_local_in(one, [&](const Local* local, ir::Access) { used.insert(local); });
    });
    std::erase_if(waiting, [&](const Waiting& w) {
      const bool changes = std::any_of(w.reads.begin(), w.reads.end(), [&](const Local* local) {
        return assigned.contains(local);
      });
      return changes || w.has_effect || used.contains(w.assign->local) ||
             effects_.interfere(w.effects, theirs);
    });
  }

  // Is the condition one of parameters alone? Lanes ask it once, in front of all that a side calls.
  bool is_same_always(const Expr* condition) {
    bool same = !ir::reads_memory(condition);
    ir::for_each_subexpr(condition, [&](const Expr* e) {
      const Local* local = ir::loaded(e);
      same = same && (!local || (params_.contains(local) && sets_[local] == 0));
    });
    return same;
  }
  static bool calls(const Expr* e) {
    bool found = false;
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* builtin = ir::try_as<ir::Builtin>(part);
      found = found || (builtin && builtin->row->lanes != builtins::Id::none &&
                        builtin->row->lanes != builtin->row->id);
    });
    return found;
  }

  // if (c) t = x; else t = y;   ->   t = c ? x : y
  Stmt* select_of(ir::If& s) {
    if (s.body->size() != 1 || s.orelse->size() != 1) return nullptr;
    auto* x = ir::try_as<ir::Assign>(s.body->front());
    auto* y = ir::try_as<ir::Assign>(s.orelse->front());
    if (!x || !y || x->local != y->local) return nullptr;
    if (!x->local->is_temp || !x->local->type->is_scalar() || sets_[x->local] != 2) return nullptr;
    if (ir::has_effect(x->value) || ir::has_effect(y->value)) return nullptr;
    if (is_same_always(s.condition) && (calls(x->value) || calls(y->value))) return nullptr;
    sets_[x->local] = 1;
    const ir::Builder b{program_, s.span};
    // Of truths `c and x`, `c or x` and so on.
    const auto is = [](const Expr* e, bool truth) {
      const ir::Const* c = e->type->is_bool() ? ir::constant(e) : nullptr;
      return c && (c->value.integer != 0) == truth;
    };
    Expr *yes = x->value, *no = y->value, *condition = s.condition;
    Expr* value = is(no, false)    ? b.logical(true, condition, yes)
                  : is(yes, true)  ? b.logical(false, condition, no)
                  : is(yes, false) ? b.logical(true, b.negated(condition), no)
                  : is(no, true)   ? b.logical(false, b.negated(condition), yes)
                                   : b.expr<ir::Select>(yes->type, condition, yes, no);
    return b.assign(x->local, value);
  }

  ir::Program& program_;
  const ir::EffectAnalysis effects_;
  std::unordered_map<const Local*, int> uses_{}, sets_{};
  ir::LocalSet params_{};
};

}  // namespace

void temps(ir::Program& program, ir::Function& f) { Temps(program, f); }

}  // namespace pyk2cu::emit
