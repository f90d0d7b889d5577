// Invariants of loops: see invariants.h.
//
// Whole numbers only, of variables and extents, and nothing that raises or traps: where the loop
// does not turn, nobody sees that they were computed.
#include "emit/lower/invariants.h"

#include <algorithm>
#include <unordered_map>

#include "typeinfer/builtins/registry.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

bool divides(const ir::Binary& b) { return b.op == BinaryOp::kMod || b.op == BinaryOp::kFloorDiv; }

class Invariants {
 public:
  Invariants(ir::Program& program, ir::Function& f, Block& body, const Local* index,
             const ir::LocalSet& own)
      : program_(program), f_(f), own_(own), changed_(ir::assigned_in(body)) {
    changed_.insert(index);
    std::erase_if(body, [&](Stmt* s) { return take(ir::try_as<ir::Assign>(s)); });
    ir::for_each_stmt(body, [&](Stmt* s) {
      ir::for_each_expr(s, [&](Expr*& e) {
        rename(e);
        ir::for_each_subexpr(e, [&](Expr* part) {
          if (auto* element = ir::try_as<ir::Element>(part))
            for (ir::Index& i : element->indices) name(i.value);
        });
      });
      ir::for_each_place(s, [&](ir::Place& place) {
        if (!place.local)
          for (ir::Index& i : place.indices) name(i.value);
      });
    });
  }
  std::vector<Stmt*> all() const { return {all_.begin(), all_.end()}; }

 private:
  bool take(ir::Assign* a) {
    if (!a || !own_.contains(a->local) || !a->local->type->is_int()) return false;
    rename(a->value);
    if (!is_known(a->value)) return false;
    changed_.erase(a->local);
    if (Local* same = find(a->local->type, a->value))
      renamed_[a->local] = same;
    else
      all_.push_back(a);
    return true;
  }

  // A row that all iterations have in common, under a name, where it takes more than a sum to find.
  void name(Expr*& e) {
    if (!is_known(e)) return ir::for_each_operand(e, [&](Expr*& operand) { name(operand); });
    bool sums = true;
    ir::for_each_subexpr(std::as_const(e), [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      sums = sums && part->kind != ExprKind::kBuiltin && !(b && divides(*b));
    });
    if (sums) return;
    const ir::Builder build{program_, e->span};
    Local* same = find(e->type, e);
    if (!same) {
      same = build.temp("same", e->type);
      f_.locals.push_back(same);
      all_.push_back(build.stmt<ir::Assign>(same, e));
    }
    e = build.load(same);
  }

  Local* find(const types::Type* type, const Expr* value) const {
    for (const ir::Assign* a : all_)
      if (a->local->type == type && ir::equal(a->value, value)) return a->local;
    return nullptr;
  }

  bool is_known(const Expr* e) const {
    if (!e->type->is_int()) return false;
    if (const Local* local = ir::loaded(e)) return !changed_.contains(local);
    if (e->kind == ExprKind::kConst) return true;
    if (const auto* query = ir::try_as<ir::Query>(e)) {
      const Local* array = ir::loaded(query->operand);
      return array && !changed_.contains(array);
    }
    const auto* b = ir::try_as<ir::Binary>(e);
    const auto* c = ir::try_as<ir::Convert>(e);
    const auto* call = ir::try_as<ir::Builtin>(e);
    bool known = b ? divides(*b) || b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub ||
                         b->op == BinaryOp::kMul
                 : c ? c->operand->type->is_int()
                     : call && is_cut(*call);
    ir::for_each_operand(e, [&](const Expr* operand) { known = known && is_known(operand); });
    return known;
  }

  void rename(Expr*& e) const {
    const auto to = renamed_.find(ir::loaded(e));
    if (to != renamed_.end())
      e = ir::Builder{program_, e->span}.load(to->second);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { rename(operand); });
  }

  ir::Program& program_;
  ir::Function& f_;
  const ir::LocalSet& own_;
  ir::LocalSet changed_;
  std::vector<ir::Assign*> all_{};
  std::unordered_map<const Local*, Local*> renamed_{};
};

}  // namespace

bool is_cut(const ir::Builtin& call) {
  const builtins::Range range = call.row->range;
  return call.args.size() == 2 &&
         (range == builtins::Range::kLeast || range == builtins::Range::kGreatest);
}

std::vector<Stmt*> take_invariants(ir::Program& program, ir::Function& f, Block& body,
                                   const Local* index, const ir::LocalSet& own) {
  return Invariants(program, f, body, index, own).all();
}

}  // namespace pyk2cu::emit
