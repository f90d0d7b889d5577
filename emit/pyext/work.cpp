// Estimates work by one walk over the statements, with bounds followed through locals.
#include "emit/pyext/work.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace pyk2cu::pyext {
namespace {

constexpr int64_t kFewIterations = 256;  // a constant loop of fewer is no loop worth counting

// Which values a loop bound is made of.
enum class Bound { kConstant, kArray, kUnknown };

class Estimate {
 public:
  explicit Estimate(std::unordered_set<const ir::Function*>& active) : active_(active) {}

  Work of(const ir::Function& function) {
    if (!active_.insert(&function).second) return {0, true, false};
    collect(function.body);
    for (const ir::Param& param : function.params) params_.insert(param.local);
    walk(function.body, 0);
    active_.erase(&function);
    int rank = 0;
    for (const ir::Param& param : function.params)
      if (param.local->type->is_array()) rank = std::max<int>(rank, param.local->type->rank);
    if (work_.depth > rank) work_.is_long = true;
    return work_;
  }

 private:
  // Remembers every value that a local is assigned.
  void collect(const ir::Block& block) {
    for (const ir::Stmt* stmt : block) {
      if (stmt->kind == ir::StmtKind::kAssign) {
        const auto* assign = ir::as<ir::Assign>(stmt);
        values_[assign->local].push_back(assign->value);
      }
      for_each_block(*stmt, [&](const ir::Block& inner) { collect(inner); });
    }
  }

  Bound bound(const ir::Expr* expr, int fuel = 12) const {
    if (!expr || fuel == 0) return Bound::kUnknown;
    const auto both = [&](const ir::Expr* a, const ir::Expr* b) {
      return std::max(bound(a, fuel - 1), bound(b, fuel - 1));
    };
    switch (expr->kind) {
      case ir::ExprKind::kConst:
        return Bound::kConstant;
      case ir::ExprKind::kQuery:
        return Bound::kArray;
      case ir::ExprKind::kConvert:
        return bound(ir::as<ir::Convert>(expr)->operand, fuel - 1);
      case ir::ExprKind::kUnary:
        return bound(ir::as<ir::Unary>(expr)->operand, fuel - 1);
      case ir::ExprKind::kBinary: {
        const auto* binary = ir::as<ir::Binary>(expr);
        if (binary->op == ir::BinaryOp::kMul || binary->op == ir::BinaryOp::kPow)
          return both(binary->left, binary->right) == Bound::kConstant ? Bound::kConstant
                                                                       : Bound::kUnknown;
        return both(binary->left, binary->right);
      }
      case ir::ExprKind::kSelect:
        return both(ir::as<ir::Select>(expr)->yes, ir::as<ir::Select>(expr)->no);
      case ir::ExprKind::kLoad:
        return bound(ir::as<ir::Load>(expr)->local, fuel);
      default:
        return Bound::kUnknown;
    }
  }
  Bound bound(const ir::Local* local, int fuel) const {
    if (indices_.contains(local)) return Bound::kArray;  // of a loop around, counted there
    const auto found = values_.find(local);
    if (params_.contains(local) || found == values_.end()) return Bound::kUnknown;
    Bound worst = Bound::kConstant;
    for (const ir::Expr* value : found->second) worst = std::max(worst, bound(value, fuel - 1));
    return worst;
  }

  static bool is_short(const ir::For& loop) {
    if (loop.lo->kind != ir::ExprKind::kConst || loop.hi->kind != ir::ExprKind::kConst)
      return false;
    const int64_t lo = ir::as<ir::Const>(loop.lo)->value.integer;
    const int64_t hi = ir::as<ir::Const>(loop.hi)->value.integer;
    return hi - lo < kFewIterations && lo - hi < kFewIterations;
  }

  void walk(const ir::Block& block, int depth) {
    for (const ir::Stmt* stmt : block) {
      int inner = depth;
      if (stmt->kind == ir::StmtKind::kFor) {
        const auto* loop = ir::as<ir::For>(stmt);
        indices_.insert(loop->index);
        if (loop->loop == ir::LoopKind::kParallel) work_.is_parallel = true;
        const Bound most = std::max(bound(loop->lo), bound(loop->hi));
        if (most == Bound::kUnknown || (most == Bound::kConstant && !is_short(*loop)))
          work_.is_long = true;
        if (!is_short(*loop)) ++inner;
      } else if (stmt->kind == ir::StmtKind::kWhile) {
        work_.is_long = true;
      }
      work_.depth = std::max(work_.depth, inner);
      calls(*stmt, inner);
      for_each_block(*stmt, [&](const ir::Block& body) { walk(body, inner); });
    }
  }

  // Calls stand alone in Assign, Return and Eval (invariant 1 of ir.h) or deep in pure expressions;
  // the latter matter less, but a helper with a loop is found by a look at the top.
  void calls(const ir::Stmt& stmt, int depth) {
    const ir::Expr* value = nullptr;
    if (stmt.kind == ir::StmtKind::kAssign) value = ir::as<ir::Assign>(&stmt)->value;
    if (stmt.kind == ir::StmtKind::kReturn) value = ir::as<ir::Return>(&stmt)->value;
    if (stmt.kind == ir::StmtKind::kEval) value = ir::as<ir::Eval>(&stmt)->value;
    if (stmt.kind == ir::StmtKind::kStore) value = ir::as<ir::Store>(&stmt)->value;
    if (value) expr(*value, depth);
  }
  void expr(const ir::Expr& e, int depth) {
    if (e.kind == ir::ExprKind::kCall) {
      const auto* call = ir::as<ir::Call>(&e);
      const Work inside = Estimate(active_).of(*call->callee);
      work_.depth = std::max(work_.depth, depth + inside.depth);
      work_.is_long |= inside.is_long;
      work_.is_parallel |= inside.is_parallel;
      for (const ir::Expr* arg : *call->args) expr(*arg, depth);
    } else if (e.kind == ir::ExprKind::kBinary) {
      expr(*ir::as<ir::Binary>(&e)->left, depth);
      expr(*ir::as<ir::Binary>(&e)->right, depth);
    } else if (e.kind == ir::ExprKind::kConvert) {
      expr(*ir::as<ir::Convert>(&e)->operand, depth);
    } else if (e.kind == ir::ExprKind::kUnary) {
      expr(*ir::as<ir::Unary>(&e)->operand, depth);
    }
  }

  std::unordered_set<const ir::Function*>& active_;
  std::unordered_map<const ir::Local*, std::vector<const ir::Expr*>> values_;
  std::unordered_set<const ir::Local*> indices_, params_;
  Work work_;
};

}  // namespace

Work work_of(const ir::Function& function) {
  std::unordered_set<const ir::Function*> active;
  return Estimate(active).of(function);
}

}  // namespace pyk2cu::pyext
