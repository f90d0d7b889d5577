// Functions of what stays the same, in front of the loop.
//
//   for i …: for j …:                   for i …:
//     a[i, j] * math.exp(-t * i)   ->     fixed = math.exp(-t * i)
//                                         for j …: a[i, j] * fixed
//
// C++ compilers take calls out of loops, but neither what stands under a condition nor what was
// inlined and has branches; and a call that every iteration makes seems to be worth lanes.
//
//   a[(i - 1) % n, j]   ->   fixed = (i - 1) % n      `rests`, behind gangs, which look at it
//
// In:   functions behind temps, which would put what is used once back.  Out: the largest pieces of
// numbers that call a function of floating-point numbers, or divide integers, of variables that a
// loop does not change, in front of the outermost such loop; of equal ones there is one. What they
// compute nobody sees where the loop does not turn: they read no memory, raise nothing and do not
// trap. Tested by tests/golden/passes/hoist.py, tests/golden/passes/rests.py and
// tests/run/test_hoist.py.
#include <algorithm>
#include <vector>

#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
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

enum class What : uint8_t { kFunctions, kRests };

class Hoist {
 public:
  Hoist(ir::Program& program, ir::Function& f, What what) : program_(program), f_(f), what_(what) {}

  // Outer loops first: what stays the same in them does so in those inside.
  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      if (ir::is_loop(s)) take_from(s, all);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

 private:
  void take_from(Stmt* loop, Block& before) {
    changed_ = ir::assigned_in(loop);
    made_.clear();
    if (loop->kind == ir::StmtKind::kWhile) take_of(loop);
    ir::for_each_block(loop, [&](Block& body) { take_in(body); });
    before.insert(before.end(), made_.begin(), made_.end());
  }

  // A division takes long where a branch is seldom taken.
  void take_in(Block& body) {
    for (Stmt* s : body) {
      take_of(s);
      if (what_ == What::kRests && s->kind == ir::StmtKind::kIf) continue;
      ir::for_each_block(s, [&](Block& inner) { take_in(inner); });
    }
  }
  void take_of(Stmt* s) {
    ir::for_each_expr(s, [&](Expr*& e) {
      if (take(e) == Piece::kSought) name(e);
    });
  }

  // Bottom up: of each piece is known whether it stays the same, and whether it is worth a name.
  enum class Piece : uint8_t { kChanges, kStays, kSought };

  Piece take(Expr*& e) {
    if (const auto* query = ir::try_as<ir::Query>(e); query && ir::loaded(query->operand))
      return stays(ir::loaded(query->operand)) ? Piece::kStays : Piece::kChanges;
    std::vector<std::pair<Expr**, Piece>> operands;
    ir::for_each_operand(e, [&](Expr*& o) { operands.emplace_back(&o, take(o)); });
    Piece whole = itself(e);
    for (const auto& [operand, piece] : operands) {
      if (whole == Piece::kChanges) break;
      whole = piece == Piece::kChanges ? piece : std::max(whole, piece);
    }
    if (whole == Piece::kChanges)
      for (const auto& [operand, piece] : operands)
        if (piece == Piece::kSought) name(*operand);
    return whole;
  }

  // Operands aside.
  Piece itself(const Expr* e) const {
    const bool is_number = e->type->is_real() || e->type->is_complex();
    if (!is_number || ir::reads_itself(e)) return Piece::kChanges;
    switch (e->kind) {
      case ExprKind::kLoad:
        return stays(ir::loaded(e)) ? Piece::kStays : Piece::kChanges;
      case ExprKind::kConst:
      case ExprKind::kUnary:
      case ExprKind::kCompare:
      case ExprKind::kSelect:
      case ExprKind::kLogical:
      case ExprKind::kConvert:
        return Piece::kStays;
      case ExprKind::kBinary: {
        const auto* b = ir::as<ir::Binary>(e);
        if (b->op == BinaryOp::kPow) return e->type->is_float() ? function() : Piece::kChanges;
        const bool divides = b->op == BinaryOp::kFloorDiv || b->op == BinaryOp::kMod;
        if (!divides || !e->type->is_int()) return Piece::kStays;
        if (what_ == What::kFunctions) return Piece::kChanges;
        return ir::constant(b->right) ? Piece::kStays : Piece::kSought;
      }
      case ExprKind::kBuiltin: {
        const bool is_function = ir::as<ir::Builtin>(e)->row->module() != "builtins";
        if (ir::has_effect(e) || (is_function && !e->type->is_float())) return Piece::kChanges;
        return is_function ? function() : Piece::kStays;
      }
      default:
        return Piece::kChanges;
    }
  }

  bool stays(const Local* local) const {
    return !local->maybe_unbound && local->lanes == 0 && !changed_.contains(local);
  }
  Piece function() const { return what_ == What::kFunctions ? Piece::kSought : Piece::kStays; }

  void name(Expr*& e) {
    e = anywhere(e);  // conditions around it may have known more
    const ir::Builder build{program_, e->span};
    auto same = std::ranges::find_if(
        made_, [&](const ir::Assign* one) { return ir::equal(one->value, e); });
    if (same == made_.end()) {
      Local* local = f_.locals.emplace_back(build.temp("fixed", e->type));
      same = made_.insert(same, ir::as<ir::Assign>(build.assign(local, e)));
    }
    e = build.load((*same)->local);
  }

  ir::Program& program_;
  ir::Function& f_;
  const What what_;
  ir::LocalSet changed_{};           // in the loop that is looked at
  std::vector<ir::Assign*> made_{};  // for the place in front of it
};

}  // namespace

void hoist(ir::Program& program, ir::Function& f) {
  if (f.kind == ir::FunctionKind::kHost) Hoist(program, f, What::kFunctions).block(f.body);
}

void rests(ir::Program& program, ir::Function& f) {
  if (f.kind == ir::FunctionKind::kHost) Hoist(program, f, What::kRests).block(f.body);
}

}  // namespace pyk2cu::emit
