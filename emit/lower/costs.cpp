// Estimates of work: see costs.h.
//
// Operations count about as many nanoseconds as they take, a library function as sixteen, a call by
// whether its function loops. Bounds are followed through locals; calls count as their callees,
// recursion as unbounded. Tested by tests/golden/openmp and tests/unit/emit/pyext_test.cpp.
#include "emit/lower/costs.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "emit/lower/iterations.h"
#include "emit/lower/lanes/forms.h"
#include "emit/lower/parity.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

namespace {

constexpr int64_t kFewIterations = 256;  // a constant loop of fewer is no loop worth counting
constexpr int64_t kUnknownTurns = 16;    // of a loop whose length is not known
constexpr int64_t kMostTurns = 1 << 20;  // worth a thread, whatever is in the loop

bool loops(const ir::Function& f) {
  return ir::any_stmt(f.body, [](const Stmt* s) { return ir::is_loop(s); });
}

bool is_version(const Stmt* s) {
  const auto* branch = ir::try_as<ir::If>(s);
  return branch && branch->versions;
}

bool is_of_lanes(const Stmt* s) {
  return s->kind == StmtKind::kLanes || s->kind == StmtKind::kGang;
}

// All statements but those of slower versions.
template <class F>
void for_each_done(const ir::Block& body, F&& f) {
  for (const Stmt* s : body) {
    f(s);
    if (is_version(s))
      for_each_done(*ir::as<ir::If>(s)->body, f);
    else
      ir::for_each_block(s, [&](const ir::Block& inner) { for_each_done(inner, f); });
  }
}

constexpr int kCallDepth = 4;  // of calls in calls; below, each counts as kSomeCall
constexpr int64_t kSomeCall = 10, kLoopingCall = 500;

int64_t cost_of_call(const ir::Function& callee, int depth);

int64_t cost_of_builtin(const ir::Builtin& e) {
  if (is_of_parts(e) || is_conjugate(e)) return 0;
  return e.row->module() == "builtins" || e.row->id == builtins::Id::lanes_disjoint ? 1 : 16;
}

int64_t cost_of_expr(const Expr* e, int depth = kCallDepth) {
  int64_t cost = 0;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    switch (part->kind) {
      case ExprKind::kBinary:
        cost += ir::as<ir::Binary>(part)->op > BinaryOp::kMul ? 6 : 1;
        break;
      case ExprKind::kCompare:
      case ExprKind::kElement:
        cost += 1;
        break;
      case ExprKind::kBuiltin:
        cost += cost_of_builtin(*ir::as<ir::Builtin>(part));
        break;
      case ExprKind::kCall:
        cost += cost_of_call(*ir::as<ir::Call>(part)->callee, depth);
        break;
      default:
        break;
    }
  });
  return cost;
}

// Of all statements, each once; of two versions, of the faster one.
int64_t cost_of_block(const ir::Block& body, int depth) {
  int64_t cost = 1;
  for_each_done(body, [&](const Stmt* s) {
    ir::for_each_expr(s, [&](const Expr* e) { cost += cost_of_expr(e, depth); });
  });
  return cost;
}

int64_t cost_of_body(const ir::Function& f, int depth) { return cost_of_block(f.body, depth); }

int64_t cost_of_call(const ir::Function& callee, int depth) {
  if (loops(callee)) return kLoopingCall;
  return depth == 0 ? kSomeCall : cost_of_body(callee, depth - 1);
}

}  // namespace

int64_t cost_of_turn(const ir::Block& body) { return cost_of_block(body, kCallDepth); }

bool has_flags(const ir::Function& loop) {
  std::unordered_set<const ir::Function*> seen;
  bool floats = false, chooses = false;
  const auto look = [&](auto&& self, const ir::Function& f) -> void {
    if (!seen.insert(&f).second) return;
    for_each_done(f.body, [&](const Stmt* s) {
      if (is_version(s) && !ir::any_stmt(*ir::as<ir::If>(s)->body, is_of_lanes)) return;
      chooses = chooses || s->kind == StmtKind::kWhile || s->kind == StmtKind::kBreak ||
                (s->kind == StmtKind::kIf && !is_check(s));
      ir::for_each_expr(s, [&](const Expr* top) {
        ir::for_each_subexpr(top, [&](const Expr* e) {
          floats = floats || e->type->is_float() || e->type->is_complex();
          chooses = chooses || e->kind == ExprKind::kSelect || e->kind == ExprKind::kLogical;
          if (const auto* call = ir::try_as<ir::Call>(e)) self(self, *call->callee);
        });
      });
    });
  };
  look(look, loop);
  return floats && !chooses;
}

int64_t cost_of_element(const ir::Function& loop, bool with_cores) {
  int64_t cost = 1;
  ir::for_each_expr_in(loop.body, [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Call>(e);
    if (!call) return;
    const bool turns = !with_cores && loops(*call->callee);
    cost = cost_of_body(*call->callee, kCallDepth) * (turns ? kUnknownTurns : 1);
  });
  return cost;
}

namespace {

using Range = std::pair<const Expr*, const Expr*>;

// Does it, or what it calls, loop for nobody knows how long? Loops as long as `known` ones count
// as known.
bool is_open(const ir::Block& block, const std::vector<Range>& known, int depth) {
  if (depth == 0) return true;  // recursion
  const auto has_length = [&](const ir::For& loop) {
    const auto is_same = [&](const Range& range) {
      return ir::equal(range.first, loop.lo) && ir::equal(range.second, loop.hi);
    };
    return turns_less(loop, kFewIterations) || std::ranges::any_of(known, is_same);
  };
  bool open = false;
  ir::for_each_stmt(block, [&](const Stmt* s) {
    const auto* loop = ir::try_as<ir::For>(s);
    open = open || (ir::is_loop(s) && !(loop && has_length(*loop)));
    ir::for_each_expr(s, [&](const Expr* e) {
      ir::for_each_subexpr(e, [&](const Expr* part) {
        const auto* call = ir::try_as<ir::Call>(part);
        if (call && !open) open = is_open(call->callee->body, {}, depth - 1);
      });
    });
  });
  return open;
}

}  // namespace

LoopCost cost_of(const ir::For& loop) {
  LoopCost out;
  std::vector<Range> known;
  int64_t factor = 1;  // turns of loops that are no ranges
  if (ir::is_int_const(loop.step, 1)) out.ranges.push_back({loop.lo, loop.hi});
  const ir::LocalSet assigned = ir::assigned_in(&loop);  // its index too
  const auto is_known = [&](const Expr* e) {
    bool fixed = !ir::reads_memory(e) && !ir::reads_any(e, assigned);
    ir::for_each_subexpr(e, [&](const Expr* part) {
      fixed = fixed && part->kind != ExprKind::kSelect && part->kind != ExprKind::kBuiltin &&
              part->kind != ExprKind::kCall;
    });
    return fixed;
  };
  for (const ir::For* at = &loop; at;) {
    int64_t cost = 1;
    ir::for_each_stmt(std::as_const(*at->body), [&](const Stmt* s) {
      ir::for_each_expr(s, [&](const Expr* e) { cost += cost_of_expr(e); });
      if (const auto* u = ir::try_as<ir::Update>(s))
        cost += (u->op > BinaryOp::kMul ? 6 : 1) + (u->place.local ? 0 : 1);
      if (s->kind == StmtKind::kWhile) cost *= kUnknownTurns, out.uneven = true;
      if (s->kind == StmtKind::kBreak) out.uneven = true;
    });
    out.weight = cost;
    const ir::For* next = nullptr;
    for (const Stmt* s : *at->body)
      if (s->kind == StmtKind::kFor) next = ir::as<ir::For>(s);
    if (!next) break;
    const bool is_fixed = is_known(next->hi) && is_known(next->lo);
    const auto turns = constant_turns(*next);
    const bool is_range = is_fixed && ir::is_int_const(next->step, 1) && !turns;
    if (is_range) out.ranges.push_back({next->lo, next->hi});
    if (is_range || turns) known.emplace_back(next->lo, next->hi);
    const int64_t times = turns ? std::clamp<int64_t>(*turns, 1, kMostTurns) : kUnknownTurns;
    if (!is_range) factor = std::min(factor * times, kMostTurns);
    out.uneven = out.uneven || ir::reads(next->hi, loop.index) || ir::reads(next->lo, loop.index);
    at = is_fixed ? next : nullptr;
  }
  ir::for_each_expr_in(std::as_const(*loop.body), [&](const Expr* e) {
    const auto* call = ir::try_as<ir::Call>(e);
    out.uneven = out.uneven || (call && loops(*call->callee));
  });
  out.weight *= factor;
  out.is_open = is_open(*loop.body, known, kCallDepth);
  return out;
}

size_t count_stmts(const ir::Block& block) {
  size_t count = 0;
  ir::for_each_stmt(block, [&](const Stmt*) { ++count; });
  return count;
}

// ---- whole functions ----------------------------------------------------------------------------

// Which values a loop bound is made of.
enum class Bound { kConstant, kArray, kUnknown };

class Estimate {
 public:
  explicit Estimate(WorkEstimates& all) : all_(all) {}

  Work of(const ir::Function& function) {
    ir::for_each_stmt(function.body, [&](const Stmt* s) {
      if (const auto* a = ir::try_as<ir::Assign>(s)) values_[a->local].push_back(a->value);
    });
    int rank = 0;
    for (const ir::Param& param : function.params) {
      params_.insert(param.local);
      if (param.local->type->is_array()) rank = std::max<int>(rank, param.local->type->rank);
    }
    walk(function.body, 0);
    if (work_.depth > rank) work_.is_long = true;
    return work_;
  }

 private:
  Bound bound(const Expr* expr, int fuel = 12) const {
    if (!expr || fuel == 0) return Bound::kUnknown;
    const auto both = [&](const Expr* a, const Expr* b) {
      return std::max(bound(a, fuel - 1), bound(b, fuel - 1));
    };
    switch (expr->kind) {
      case ExprKind::kConst:
        return Bound::kConstant;
      case ExprKind::kQuery:
        return Bound::kArray;
      case ExprKind::kConvert:
        return bound(ir::as<ir::Convert>(expr)->operand, fuel - 1);
      case ExprKind::kUnary:
        return bound(ir::as<ir::Unary>(expr)->operand, fuel - 1);
      case ExprKind::kBinary: {
        const auto* binary = ir::as<ir::Binary>(expr);
        const Bound most = both(binary->left, binary->right);
        const bool grows = binary->op == BinaryOp::kMul || binary->op == BinaryOp::kPow;
        return grows && most != Bound::kConstant ? Bound::kUnknown : most;
      }
      case ExprKind::kSelect:
        return both(ir::as<ir::Select>(expr)->yes, ir::as<ir::Select>(expr)->no);
      case ExprKind::kLoad:
        return bound(ir::as<ir::Load>(expr)->local, fuel);
      default:
        return Bound::kUnknown;
    }
  }
  Bound bound(const Local* local, int fuel) const {
    if (indices_.contains(local)) return Bound::kArray;  // of a loop around, counted there
    const auto found = values_.find(local);
    if (fuel == 0 || params_.contains(local) || found == values_.end()) return Bound::kUnknown;
    // Until it is known: of what it is made of itself.
    const auto [known, is_new] = bounds_.try_emplace(local, Bound::kUnknown);
    if (!is_new) return known->second;
    Bound worst = Bound::kConstant;
    for (const Expr* value : found->second) worst = std::max(worst, bound(value, fuel - 1));
    return bounds_[local] = worst;
  }

  void walk(const ir::Block& block, int depth) {
    for (const Stmt* s : block) {
      int inner = depth;
      if (const auto* loop = ir::try_as<ir::For>(s)) {
        indices_.insert(loop->index);
        bounds_.clear();
        if (loop->loop == ir::LoopKind::kParallel) work_.is_parallel = true;
        const Bound most = std::max(bound(loop->lo), bound(loop->hi));
        if (most == Bound::kUnknown ||
            (most == Bound::kConstant && !turns_less(*loop, kFewIterations)))
          work_.is_long = true;
        if (!turns_less(*loop, kFewIterations)) ++inner;
      } else if (s->kind == StmtKind::kForEach) {
        ++inner;
      } else if (s->kind == StmtKind::kWhile) {
        work_.is_long = true;
      }
      work_.depth = std::max(work_.depth, inner);
      ir::for_each_expr(s, [&](const Expr* e) {
        ir::for_each_subexpr(e, [&](const Expr* part) { call(part, inner); });
      });
      ir::for_each_block(s, [&](const ir::Block& body) { walk(body, inner); });
    }
  }

  void call(const Expr* e, int depth) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    work_.asks_threads |= builtin && builtin->row->asks_threads();
    const auto* call = ir::try_as<ir::Call>(e);
    if (!call) return;
    const Work inside = all_.of(*call->callee);
    work_.depth = std::max(work_.depth, depth + inside.depth);
    work_.is_long |= inside.is_long;
    work_.is_parallel |= inside.is_parallel;
    work_.asks_threads |= inside.asks_threads;
  }

  WorkEstimates& all_;
  std::unordered_map<const Local*, std::vector<const Expr*>> values_;
  std::unordered_set<const Local*> indices_, params_;
  mutable std::unordered_map<const Local*, Bound> bounds_;  // as long as indices_ stay
  Work work_;
};

Work WorkEstimates::of(const ir::Function& function) {
  const auto [it, is_new] = known_.try_emplace(&function, Work{0, true, false});  // recursion
  if (!is_new) return it->second;
  return known_[&function] = Estimate(*this).of(function);
}

namespace {

bool adds_floats(const ir::Block& body) {
  return ir::any_stmt(body, [](const Stmt* s) {
    const auto* update = ir::try_as<ir::Update>(s);
    return update && update->place.local && update->place.type()->is_float();
  });
}

}  // namespace

bool is_foreseen(const ir::If& branch) {
  if (!branch.orelse->empty() || parity_of(branch.condition).of) return false;
  const Expr* e = branch.condition;
  const auto* negation = ir::try_as<ir::Unary>(e);
  if (negation && negation->op == ir::UnaryOp::kNot) e = negation->operand;
  // Masks: land and sea, what is valid; most are of a piece, or of a few. Sums of floats wait.
  if (e->kind == ExprKind::kElement && e->type->is_bool()) return adds_floats(*branch.body);
  if (const auto* call = ir::try_as<ir::Builtin>(e)) {
    using builtins::Id;
    static constexpr Id kAsked[] = {Id::math_isnan,  Id::math_isinf,  Id::math_isfinite,
                                    Id::numpy_isnan, Id::numpy_isinf, Id::numpy_isfinite};
    return std::ranges::find(kAsked, call->row->id) != std::end(kAsked);
  }
  const auto* compare = ir::try_as<ir::Compare>(e);
  return compare && compare->op == ir::CompareOp::kNe && compare->left->type->is_int() &&
         !ir::is_int_const(compare->right, 0);
}

bool is_choice(const ir::If& branch) {
  bool chooses = !branch.body->empty() && !branch.orelse->empty();
  ir::for_each_block(&branch, [&](const ir::Block& side) {
    ir::for_each_stmt(side, [&](const Stmt* s) {
      chooses = chooses && (s->kind == ir::StmtKind::kAssign || s->kind == ir::StmtKind::kIf);
      ir::for_each_expr(s, [&](const Expr* e) { chooses = chooses && !ir::reads_memory(e); });
    });
  });
  return chooses;
}

bool has_small_extremes(const ir::Function& f) {
  bool chooses = false, masks = false;
  ir::for_each_stmt(f.body, [&](const ir::Stmt* s) {
    const auto* lanes = ir::try_as<ir::Lanes>(s);
    if (!lanes) return;
    ir::for_each_expr_in(std::as_const(*lanes->body), [&](const ir::Expr* e) {
      if (!e->type->is_int() || e->type->bits >= 32) return;
      const auto* call = ir::try_as<ir::Builtin>(e);
      const auto* select = ir::try_as<ir::Select>(e);
      const bool compares = select && select->condition->kind == ir::ExprKind::kCompare;
      chooses = chooses || compares || (call && call->args.size() > 1);
      masks = masks || (select && !compares);
    });
  });
  return chooses && masks;
}

}  // namespace pyk2cu::emit
