// prange loops become loops over cores: every variable that they write is classified.
//
//   private       assigned before it is read in every iteration, not read behind the loop
//   last_private  likewise, and read behind the loop: the last iteration's value
//   reduction     only accumulated into (reductions.cpp)
//   carried       anything else: PK5110
// Stores must hit elements of their own: an index that moves with the loop. Updates that do not
// become atomic; other stores get a lint. In: a function.  Out: For::reductions, last_private,
// LoopFacts, Facts::atomic. Tested by tests/golden/openmp and tests/run.
#include <algorithm>

#include "emit/lower/loops.h"
#include "emit/lower/lower.h"
#include "emit/lower/reductions.h"
#include "emit/lower/walk.h"
#include "emit/print/declare.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

class Parallel {
 public:
  Parallel(ir::Program& program, ir::Function& f, Facts& facts, Diagnostics& diags, bool strict_fp)
      : program_(program), f_(f), facts_(facts), diags_(diags), strict_fp_(strict_fp) {}

  void block(Block& b, bool inside) {
    for (Stmt* s : b) {
      bool within = inside;
      if (s->kind == StmtKind::kFor && ir::as<ir::For>(s)->loop == ir::LoopKind::kParallel) {
        if (inside)
          ir::as<ir::For>(s)->loop = ir::LoopKind::kSerial;
        else
          loop(*ir::as<ir::For>(s));
        within = true;
      }
      for_each_block(s, [&](Block& inner) { block(inner, within); });
    }
  }

 private:
  void loop(ir::For& s) {
    LoopFacts& facts = facts_.loops[&s];
    if (!constant(s.step) || has_exit(*s.body, &s)) {
      s.loop = ir::LoopKind::kSerial;
      return;
    }
    facts.parallel = true;
    s.reductions = program_.make<std::vector<ir::Reduction>>();
    s.last_private = program_.make<std::vector<Local*>>();
    variables(s);
    if (strict_fp_ && reassociates(s)) {  // the one order that does not hang on the threads
      s.loop = ir::LoopKind::kSerial;
      facts = {};
      return;
    }
    views(s, facts);
    stores(s);
    costs(s, facts);
    lanes(s);
    for_each_stmt(*s.body, [&](Stmt* inner) {
      facts.may_raise = facts.may_raise || inner->kind == StmtKind::kRaise;
      if (inner->kind == StmtKind::kAssign && f_.may_raise)
        facts.may_raise =
            facts.may_raise || ir::as<ir::Assign>(inner)->value->kind == ExprKind::kNewArray;
    });
    for_each_expr_in(*s.body, [&](Expr* e) {
      if (e->kind == ExprKind::kCall && ir::as<ir::Call>(e)->callee->may_raise)
        facts.may_raise = true;
    });
  }

  bool is_reported(Span span, int code) const {
    return std::any_of(diags_.all().begin(), diags_.all().end(),
                       [&](const Diagnostic& d) { return d.span == span && d.code == code; });
  }

  // Does it add up, or multiply, floats?
  static bool reassociates(const ir::For& s) {
    return std::any_of(s.reductions->begin(), s.reductions->end(), [](const ir::Reduction& r) {
      const bool rounds = r.op == ir::ReduceOp::kAdd || r.op == ir::ReduceOp::kMul;
      return rounds && (r.local->type->is_float() || r.local->type->is_complex());
    });
  }

  // ---- variables ------------------------------------------------------------------------------
  void variables(ir::For& s) {
    std::vector<std::pair<Local*, Span>> assigned;
    for_each_stmt(*s.body, [&](Stmt* inner) {
      if (inner->kind != StmtKind::kAssign) return;
      Local* local = ir::as<ir::Assign>(inner)->local;
      const auto same = [&](const auto& known) { return known.first == local; };
      if (std::none_of(assigned.begin(), assigned.end(), same))
        assigned.push_back({local, inner->span});
    });
    for (const auto& [local, span] : assigned) {
      const Flow flow = flow_of(*s.body, local);
      const bool behind = read_behind(f_.body, &s, local, false).value_or(false);
      if (!flow.exposed && !behind) continue;  // private
      if (!flow.exposed && flow.assigned) {
        s.last_private->push_back(local);
        continue;
      }
      const auto kind = reduction_of(*s.body, local);
      if (kind)
        s.reductions->push_back({*kind, local});
      else if (!is_reported(span, diag::ParallelCarried.code))
        diags_.report(span, diag::ParallelCarried, local->name.str())
            .help(
                "use `range` for this loop, or make every update of the variable one of "
                "`+=`, `*=`, `min`, `max`, `&=`, `|=`, `^=`");
    }
  }

  // Compilers reach shared views through a pointer: extents and strides, reloaded after every
  // store, hide that elements lie side by side. A copy per thread costs nothing.
  static void views(ir::For& s, LoopFacts& facts) {
    for_each_expr_in(*s.body, [&](Expr* e) {
      const Local* local = loaded(e);
      if (!local || !local->type->is_array() || assigns(*s.body, local)) return;
      if (std::find(facts.views.begin(), facts.views.end(), local) == facts.views.end())
        facts.views.push_back(local);
    });
  }

  // ---- stores ---------------------------------------------------------------------------------
  // Does every iteration see an array of its own: made inside, or a view at the loop's index?
  bool is_own(const Expr* array, ir::For& s, int depth = 0) {
    if (array->kind == ExprKind::kView) {
      for (const ir::Subscript& sub : *ir::as<ir::View>(array)->subscripts) {
        if (sub.kind == ir::Subscript::Kind::kIndex && moves_with(sub.index.value, s.index, s))
          return true;
      }
      return is_own(ir::as<ir::View>(array)->array, s, depth);
    }
    const Local* local = loaded(array);
    if (!local || depth > 8) return false;
    bool own = false, other = false;
    for_each_stmt(*s.body, [&](Stmt* inner) {
      if (inner->kind != StmtKind::kAssign || ir::as<ir::Assign>(inner)->local != local) return;
      const Expr* value = ir::as<ir::Assign>(inner)->value;
      const bool fresh = value->kind == ExprKind::kNewArray || value->kind == ExprKind::kCall;
      (fresh || is_own(value, s, depth + 1) ? own : other) = true;
    });
    return own && !other;
  }

  void stores(ir::For& s) {
    for_each_stmt(*s.body, [&](Stmt* inner) {
      if (inner->kind != StmtKind::kStore) return;
      auto& store = *ir::as<ir::Store>(inner);
      const bool moves = std::any_of(store.indices->begin(), store.indices->end(),
                                     [&](ir::Index& i) { return moves_with(i.value, s.index, s); });
      if (moves || is_own(store.array, s)) return;
      conflict(s, store);
    });
  }

  void conflict(ir::For& s, ir::Store& store) {
    const Local* local = loaded(store.array);
    const std::string_view name = local ? local->name.str() : "the array";
    const auto update = facts_.updates.find(&store);
    if (update != facts_.updates.end() && store.array->type->elem->is_real() &&
        update->second.op != BinaryOp::kFloorDiv && update->second.op != BinaryOp::kMod) {
      facts_.atomic.insert(&store);
      return;
    }
    bool reads_it = false;
    for_each_subexpr(store.value, [&](Expr* e) {
      reads_it = reads_it || (e->kind == ExprKind::kElement &&
                              same_expr(ir::as<ir::Element>(e)->array, store.array));
    });
    const std::string advice =
        "index it with the variable of the `prange` loop, or update it by `+=`";
    if (reads_it) {
      if (!is_reported(store.span, diag::ParallelConflict.code))
        diags_.report(store.span, diag::ParallelConflict, name).help(advice);
    } else if (varies(store.value, s) && !is_reported(store.span, diag::ParallelScatter.code)) {
      diags_.report(store.span, diag::ParallelScatter, name)
          .help(advice)
          .help("if the elements differ all the same, say `# pyk2cu: ignore[PK7010]` on this line");
    }
  }

  // Not the same in every iteration: a flag that any of them may set is no race to warn of.
  static bool varies(Expr* value, ir::For& s) {
    bool found = reads_memory(value);
    for_each_subexpr(value, [&](Expr* e) {
      const Local* local = loaded(e);
      found = found || (local && (local == s.index || assigns(*s.body, local)));
    });
    return found;
  }

  // ---- costs ----------------------------------------------------------------------------------
  static bool runs_long(ir::Function* f) {
    bool found = false;
    for_each_stmt(f->body, [&](Stmt* s) {
      found = found || s->kind == StmtKind::kWhile || s->kind == StmtKind::kFor;
    });
    return found;
  }

  static int64_t cost_of(Expr* e) {
    int64_t cost = 0;
    for_each_subexpr(e, [&](Expr* part) {
      switch (part->kind) {
        case ExprKind::kBinary:
          cost += ir::as<ir::Binary>(part)->op > BinaryOp::kMul ? 6 : 1;
          break;
        case ExprKind::kCompare:
        case ExprKind::kElement:
          cost += 1;
          break;
        case ExprKind::kBuiltin:
          cost += ir::as<ir::Builtin>(part)->row->module == "builtins" ? 1 : 16;
          break;
        case ExprKind::kCall:
          cost += runs_long(ir::as<ir::Call>(part)->callee) ? 500 : 10;
          break;
        default:
          break;
      }
    });
    return cost;
  }

  Expr* trips(ir::For& s) {
    if (constant(s.lo)) return s.hi;
    auto* difference = program_.make<ir::Binary>(
        ir::Binary{{ExprKind::kBinary, s.hi->type, s.span}, BinaryOp::kSub, s.hi, s.lo});
    facts_.plain.insert(difference);
    return difference;
  }

  // Iterations of the deepest nest, and what one of them costs.
  void costs(ir::For& s, LoopFacts& facts) {
    if (is_int_const(s.step, 1)) facts.work.push_back(trips(s));
    Block* body = s.body;
    bool uneven = false;
    const ir::For* inner = &s;
    while (inner) {
      ir::For* next = nullptr;
      int64_t cost = 1;
      for_each_stmt(*body, [&](Stmt* at) {
        for_each_expr(at, [&](Expr*& e) { cost += cost_of(e); });
        if (at->kind == StmtKind::kWhile) cost *= 16, uneven = true;
        if (at->kind == StmtKind::kBreak) uneven = true;
      });
      for (Stmt* at : *body)
        if (at->kind == StmtKind::kFor) next = ir::as<ir::For>(at);
      facts.weight = cost;
      if (!next) break;
      const bool known =
          is_known(next->hi, *s.body, s.index) && is_known(next->lo, *s.body, s.index);
      if (known && is_int_const(next->step, 1) && !constant(next->hi))
        facts.work.push_back(trips(*next));
      else
        facts.weight *= 16;
      uneven = uneven || reads(next->hi, s.index) || reads(next->lo, s.index);
      body = next->body;
      if (!known) break;
      inner = next;
    }
    for_each_expr_in(*s.body, [&](Expr* e) {
      if (e->kind == ExprKind::kCall && runs_long(ir::as<ir::Call>(e)->callee)) uneven = true;
    });
    facts.dynamic = uneven;
  }

  // ---- lanes ----------------------------------------------------------------------------------
  // Innermost loops that accumulate into a reduction variable may do so in several lanes.
  void lanes(ir::For& s) {
    for_each_stmt(*s.body, [&](Stmt* inner) {
      if (inner->kind == StmtKind::kFor) lane_loop(s, *ir::as<ir::For>(inner));
    });
  }

  void lane_loop(ir::For& outer, ir::For& s) {
    if (!is_int_const(s.step, 1)) return;
    std::vector<ir::Reduction> reductions;
    for (const ir::Reduction& r : *outer.reductions)
      if (assigns(*s.body, r.local) && r.local->type->is_float()) reductions.push_back(r);
    if (reductions.empty() || !is_straight(s)) return;
    for_each_stmt(*s.body, [&](Stmt* at) {
      if (at->kind != StmtKind::kAssign) return;
      Local* local = ir::as<ir::Assign>(at)->local;
      const bool reduces = std::any_of(reductions.begin(), reductions.end(),
                                       [&](const ir::Reduction& r) { return r.local == local; });
      if (!reduces && flow_of(*s.body, local).exposed) reductions.clear();
    });
    if (reductions.empty()) return;
    facts_.loops[&s].simd = true;
    facts_.loops[&s].simd_reductions = reductions;
  }

  ir::Program& program_;
  ir::Function& f_;
  Facts& facts_;
  Diagnostics& diags_;
  bool strict_fp_;
};

}  // namespace

void parallel(ir::Program& program, ir::Function& f, Facts& facts, Diagnostics& diags,
              bool strict_fp) {
  Parallel(program, f, facts, diags, strict_fp).block(f.body, false);
}

}  // namespace pyk2cu::emit
