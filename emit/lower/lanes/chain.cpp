// Chains from turn to turn: see chain.h.
//
// The loop turns a few times on a processor that does any number of operations at once: each begins
// when what it reads is there. What grows from turn to turn is the chain. Conditions are foreseen:
// nothing waits for them.
#include "emit/lower/lanes/chain.h"

#include <algorithm>
#include <unordered_map>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kTurns = 6, kSettled = 2;  // turns, of which the first ones fill the chain

// Cycles until the result is there.
constexpr double kLoaded = 5, kOfFloats = 4, kOfProduct = 3, kConverted = 5;
constexpr double kDivided = 14, kWholeDivided = 20, kByConstant = 5, kComputed = 30;

class Turns {
 public:
  double growth(const Stmt& loop) {
    double settled = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
      if (turn == kSettled) settled = last();
      ir::for_each_block(&loop, [&](const Block& body) { block(body); });
      if (const auto* counted = ir::try_as<ir::For>(&loop)) ready_[counted->index] += 1;
    }
    return (last() - settled) / (kTurns - kSettled);
  }

 private:
  using Ready = std::unordered_map<const Local*, double>;

  double last() const {
    double latest = 0;
    for (const auto& [local, at] : ready_) latest = std::max(latest, at);
    return latest;
  }

  void block(const Block& b) {
    for (const Stmt* s : b) stmt(s);
  }

  void stmt(const Stmt* s) {
    if (const auto* a = ir::try_as<ir::Assign>(s)) {
      ready_[a->local] = of(a->value);
    } else if (const auto* u = ir::try_as<ir::Update>(s)) {
      const Local* local = u->place.local;
      if (local) ready_[local] = std::max(ready_[local], of(u->value)) + latency(u->op, u->value);
    } else if (const auto* branch = ir::try_as<ir::If>(s)) {
      const Ready before = ready_;
      block(*branch->body);
      Ready other = before;
      std::swap(ready_, other);
      block(*branch->orelse);
      for (const auto& [local, at] : other) ready_[local] = std::max(ready_[local], at);
    } else {
      ir::for_each_block(s, [&](const Block& body) { block(body); });
    }
  }

  double of(const Expr* e) {
    if (const Local* local = ir::loaded(e)) return ready_[local];
    double at = 0;
    ir::for_each_operand(e, [&](const Expr* operand) { at = std::max(at, of(operand)); });
    return at + latency(e);
  }

  static double latency(const Expr* e) {
    if (const auto* b = ir::try_as<ir::Binary>(e)) return latency(b->op, b->right);
    if (const auto* c = ir::try_as<ir::Convert>(e))
      return c->type->is_float() == c->operand->type->is_float() ? 0 : kConverted;
    switch (e->kind) {
      case ExprKind::kElement:
        return kLoaded;
      case ExprKind::kCall:
        return kComputed;
      case ExprKind::kBuiltin: {
        const auto* row = ir::as<ir::Builtin>(e)->row;
        const bool simple = row->module() == "builtins" || row->range == builtins::Range::kBits;
        return simple ? 2 : kComputed;
      }
      case ExprKind::kUnary:
      case ExprKind::kCompare:
      case ExprKind::kSelect:
        return 1;
      default:
        return 0;
    }
  }

  static double latency(BinaryOp op, const Expr* right) {
    const bool whole = right->type->is_int(), known = ir::constant(right);
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
        return whole ? 1 : kOfFloats;
      case BinaryOp::kMul:
        return whole ? kOfProduct : kOfFloats;
      case BinaryOp::kDiv:
        return kDivided;
      case BinaryOp::kFloorDiv:
      case BinaryOp::kMod:
        return known ? kByConstant : whole ? kWholeDivided : kComputed;
      case BinaryOp::kPow:
        return ir::is_int_const(right, 2) ? kOfFloats : kComputed;
      default:
        return 1;
    }
  }

  Ready ready_{};
};

}  // namespace

double chain_of(const Stmt& loop) { return Turns{}.growth(loop); }

bool chases(const Stmt* s, const Gang& gang, const Shape& shape) {
  const auto* loop = ir::try_as<ir::While>(s);
  if (!loop || ir::constant(loop->condition)) return false;
  const ir::LocalSet assigned = ir::assigned_in(*loop->body);
  bool found = false;
  ir::for_each_expr_in(std::as_const(*loop->body), [&](const Expr* e) {
    const auto* from = ir::try_as<ir::Element>(e);
    if (!from) return;
    const Expr* last = from->indices.back().value;
    found = found || (shape.varies(last) && !gang.moves_by_one(last, shape) &&
                      ir::reads_any(last, assigned));
  });
  return found;
}

}  // namespace pyk2cu::emit
