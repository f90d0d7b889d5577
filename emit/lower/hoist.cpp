// Functions of what stays the same, in front of the loop.
//
//   for i …: for j …:                   for i …:
//     a[i, j] * math.exp(-t * i)   ->     fixed = math.exp(-t * i)
//                                         for j …: a[i, j] * fixed
//
// C++ compilers take calls out of loops, but neither what stands under a condition nor what was
// inlined and has branches; and a call that every iteration makes seems to be worth lanes.
// A variable that the loop gives the same value in every iteration stands for that value:
//
//   if a[j] > 0:                        fixed = f(x + 0.5)      f: without loops, of numbers
//     y = x + 0.5               ->      for j …: if a[j] > 0: s += a[j] * fixed
//     s += a[j] * f(y)
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
#include <unordered_map>
#include <vector>

#include "emit/lower/flow.h"
#include "emit/lower/interval.h"
#include "emit/lower/lower.h"
#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
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

constexpr int kMaxDepth = 4;       // of helpers that call helpers
constexpr size_t kMostNodes = 64;  // of a piece that names are spelled out in

bool is_of_numbers(const types::Type* type) { return type->is_real() || type->is_complex(); }

// A call of a function that calls one of floating-point numbers and does nothing but compute, for a
// time that is known: no loops.
bool is_formula(const ir::Call& call, int depth) {
  const ir::Function& f = *call.callee;
  const bool takes_numbers = std::ranges::all_of(
      f.params, [](const ir::Param& p) { return is_of_numbers(p.local->type); });
  if (depth == 0 || !takes_numbers || !f.result->is_float() || !call.shared.empty() ||
      ir::is_observable(call) || ir::may_raise(call) ||
      ir::any_stmt(f.body, [](const Stmt* s) { return ir::is_loop(s); }))
    return false;
  bool calls = false, fits = true;
  ir::for_each_expr_in(f.body, [&](const Expr* e) {
    const auto* builtin = ir::try_as<ir::Builtin>(e);
    const auto* binary = ir::try_as<ir::Binary>(e);
    const auto* inner = ir::try_as<ir::Call>(e);
    calls = calls || inner || (binary && binary->op == BinaryOp::kPow) ||
            (builtin && builtin->row->module() != "builtins" && e->type->is_float());
    fits = fits && (!inner || is_formula(*inner, depth - 1));
  });
  return calls && fits;
}

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

  // Variables that nobody asks any more, now that their values stand elsewhere.
  void drop_unread() {
    while (!spelled_.empty()) {
      ir::LocalSet unread = spelled_;
      ir::for_each_stmt(f_.body, [&](const Stmt* s) {
        ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
          if (access == ir::Access::kRead) unread.erase(local);
        });
      });
      if (unread.empty()) return;
      ir::replace_stmts(f_.body, [&](Stmt* s, Block& out) {
        const auto* a = ir::try_as<ir::Assign>(s);
        if (!a || !unread.contains(a->local)) return false;
        if (ir::has_effect(a->value))
          out.push_back(ir::Builder{program_, s->span}.stmt<ir::Eval>(a->value));
        return true;
      });
      for (const Local* local : unread) spelled_.erase(local);
    }
  }

 private:
  void take_from(Stmt* loop, Block& before) {
    changed_ = ir::assigned_in(loop);
    made_.clear();
    find_values(loop);
    if (loop->kind == ir::StmtKind::kWhile) take_of(loop);
    ir::for_each_block(loop, [&](Block& body) { take_in(body); });
    before.insert(before.end(), made_.begin(), made_.end());
  }

  // What the loop gives variables once in an iteration, before anybody reads them.
  void find_values(Stmt* loop) {
    values_.clear();
    fixed_.clear();
    if (what_ != What::kFunctions) return;
    std::unordered_map<const Local*, int> times;
    ir::for_each_block(loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        ir::for_each_local_of(s, [&](const Local* local, ir::Access access) {
          if (access != ir::Access::kRead) ++times[local];
        });
        const auto* a = ir::try_as<ir::Assign>(s);
        if (a && !a->local->maybe_unbound && a->local->lanes == 0) values_[a->local] = a;
      });
    });
    std::erase_if(values_, [&](const auto& one) { return times.at(one.first) != 1; });
    if (values_.empty()) return;
    const Flow flow = flow_of(loop);
    std::erase_if(values_, [&](const auto& one) { return flow.exposes(one.first); });
  }

  // Does it have the same value in every iteration?
  bool has_fixed_value(const Local* local) {
    const auto found = values_.find(local);
    if (found == values_.end()) return false;
    const auto [known, is_new] = fixed_.try_emplace(found->second, false);
    if (is_new) known->second = is_fixed(found->second->value);
    return fixed_.at(found->second);
  }
  bool is_fixed(const Expr* e) {
    if (const auto* query = ir::try_as<ir::Query>(e); query && ir::loaded(query->operand))
      return stays(ir::loaded(query->operand));
    bool fixed = itself(e) != Piece::kChanges;
    ir::for_each_operand(e, [&](const Expr* o) { fixed = fixed && is_fixed(o); });
    return fixed;
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
  Piece itself(const Expr* e) {
    if (!is_of_numbers(e->type) || ir::reads_itself(e)) return Piece::kChanges;
    switch (e->kind) {
      case ExprKind::kLoad:
        return stays(ir::loaded(e)) || has_fixed_value(ir::loaded(e)) ? Piece::kStays
                                                                      : Piece::kChanges;
      case ExprKind::kCall:
        return what_ == What::kFunctions && is_formula(*ir::as<ir::Call>(e), kMaxDepth)
                   ? Piece::kSought
                   : Piece::kChanges;
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
    bool has_names = false;
    ir::for_each_subexpr(e, [&](const Expr* part) { has_names = has_names || value_of(part); });
    if (has_names && size_of(e) > kMostNodes) return;
    spell_out(e);
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

  // Nodes, those of the values of variables too.
  size_t size_of(const Expr* e) const {
    size_t size = 1;
    if (const ir::Assign* a = value_of(e)) return size_of(a->value);
    ir::for_each_operand(e, [&](const Expr* o) {
      if (size <= kMostNodes) size += size_of(o);
    });
    return size;
  }
  void spell_out(Expr*& e) {
    if (const ir::Assign* a = value_of(e)) {
      spelled_.insert(a->local);
      e = ir::Cloner(program_).expr(a->value);
      return spell_out(e);
    }
    ir::for_each_operand(e, [&](Expr*& o) { spell_out(o); });
  }
  const ir::Assign* value_of(const Expr* e) const {
    const Local* local = ir::loaded(e);
    const auto found = values_.find(local);
    return local && !stays(local) && found != values_.end() ? found->second : nullptr;
  }

  ir::Program& program_;
  ir::Function& f_;
  const What what_;
  ir::LocalSet changed_{};           // in the loop that is looked at
  std::vector<ir::Assign*> made_{};  // for the place in front of it
  std::unordered_map<const Local*, const ir::Assign*> values_{};
  std::unordered_map<const ir::Assign*, bool> fixed_{};  // of those that were asked for
  ir::LocalSet spelled_{};                               // whose values stand for them somewhere
};

}  // namespace

void hoist(ir::Program& program, ir::Function& f) {
  if (f.kind != ir::FunctionKind::kHost) return;
  Hoist functions(program, f, What::kFunctions);
  functions.block(f.body);
  functions.drop_unread();
}

void rests(ir::Program& program, ir::Function& f) {
  if (f.kind == ir::FunctionKind::kHost) Hoist(program, f, What::kRests).block(f.body);
}

}  // namespace pyk2cu::emit
