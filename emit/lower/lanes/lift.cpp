// Lifted loads: see lift.h.
//
// C++ compilers do not take them out of loops over lanes, and lanes whose elements lie apart load
// them one by one. Of loops that store nothing. Tested by tests/golden/gangs/lift.py.
#include "emit/lower/lanes/lift.h"

#include <algorithm>

#include "emit/lower/interval.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/effects.h"
#include "typeinfer/ir/equal.h"

namespace pyk2cu::emit {

using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

namespace {

class Lift {
 public:
  Lift(ir::Program& program, ir::Function& f, Block& body, const Local* index, const ir::For& loop,
       const ir::LocalSet& arrays)
      : program_(program),
        f_(f),
        index_(index),
        loop_(loop),
        arrays_(arrays),
        own_(ir::assigned_in(body)) {
    own_.insert(index);
    block(body);
  }

 private:
  // Outer loops first: what stays the same in them does so in those inside.
  void block(Block& b) {
    Block all;
    for (Stmt* s : b) {
      if (ir::is_loop(s) && stores_nothing(s)) lift(s, all);
      ir::for_each_block(s, [&](Block& inner) { block(inner); });
      all.push_back(s);
    }
    b = std::move(all);
  }

  // ... but in arrays that are the iteration's own.
  bool stores_nothing(const Stmt* loop) const {
    bool nothing = true;
    ir::for_each_block(loop, [&](const Block& body) {
      ir::for_each_stmt(body, [&](const Stmt* s) {
        ir::for_each_place(s, [&](const ir::Place& place) {
          nothing = nothing && (place.local || arrays_.contains(ir::loaded(place.array)));
        });
        ir::for_each_expr(s, [&](const Expr* e) { nothing = nothing && !ir::has_effect(e); });
      });
    });
    return nothing;
  }

  struct Kept {
    const Expr* element;  // as the source has it
    Local* local;
  };

  void lift(Stmt* loop, Block& before) {
    const ir::LocalSet assigned = ir::assigned_in(loop);
    std::vector<Kept> all;
    ir::for_each_block(loop, [&](Block& body) {
      ir::for_each_stmt(body, [&](Stmt* s) {
        ir::for_each_expr(s, [&](Expr*& e) { take(e, assigned, all, before); });
      });
    });
  }

  void take(Expr*& e, const ir::LocalSet& assigned, std::vector<Kept>& all, Block& before) {
    const auto* element = ir::try_as<ir::Element>(e);
    if (!element || !stays(*element, assigned))
      return ir::for_each_operand(e, [&](Expr*& o) { take(o, assigned, all, before); });
    const ir::Builder b{program_, e->span};
    auto known = std::find_if(all.begin(), all.end(),
                              [&](const Kept& one) { return ir::equal(one.element, e); });
    if (known == all.end()) {
      f_.locals.push_back(b.temp("kept", e->type));
      known = all.insert(all.end(), {e, f_.locals.back()});
      before.push_back(b.assign(known->local, where_there(b, *element)));
    }
    e = b.load(known->local);
  }

  // An element of a lane's own that the loop does not change.
  bool stays(const ir::Element& e, const ir::LocalSet& assigned) const {
    const Local* array = ir::loaded(e.array);
    if (!array || own_.contains(array) || array->maybe_unbound || !e.type->is_real()) return false;
    bool stays = true, own = false;
    for (const ir::Index& i : e.indices) {
      own = own || ir::reads_any(i.value, own_);
      stays = stays && !i.wrap && !i.check && is_sum(i.value) && !ir::reads_any(i.value, assigned);
    }
    return stays && own;
  }

  // Of numbers that are there whether or not the loop turns.
  static bool is_sum(const Expr* e) {
    bool simple = e->type == types::int64();
    ir::for_each_subexpr(e, [&](const Expr* part) {
      const auto* b = ir::try_as<ir::Binary>(part);
      const Local* local = ir::loaded(part);
      simple = simple && part->type->is_int() && (!local || !local->maybe_unbound) &&
               (local || ir::constant(part) || part->kind == ExprKind::kConvert ||
                (b && b->op <= ir::BinaryOp::kMul));
    });
    return simple;
  }

  // 0 where there is no such element.
  Expr* where_there(const ir::Builder& b, const ir::Element& e) const {
    ir::Cloner cloner(program_);
    Expr* all = nullptr;
    const auto require = [&](Expr* one) { all = all ? b.logical(true, all, one) : one; };
    for (size_t axis = 0; axis < e.indices.size(); ++axis) {
      const Expr* index = e.indices[axis].value;
      const bool counts = ir::loaded(index) == index_;
      const ir::Const* least = ir::constant(counts ? loop_.lo : index);
      if (!least || least->value.integer < 0)
        require(b.compare(ir::CompareOp::kLe, b.integer(0), anywhere(cloner.expr(index))));
      Expr* extent = b.extent(cloner.expr(e.array), int(axis));
      Known nothing;
      if (!counts || !is_below(cloner.expr(loop_.hi), extent, true, nothing))
        require(b.compare(ir::CompareOp::kLt, anywhere(cloner.expr(index)), extent));
    }
    Expr* element = anywhere(cloner.expr(&e));
    return all ? b.expr<ir::Select>(e.type, all, element, b.zero(e.type)) : element;
  }

  ir::Program& program_;
  ir::Function& f_;
  const Local* index_;
  const ir::For& loop_;
  const ir::LocalSet& arrays_;
  ir::LocalSet own_;
};

}  // namespace

void lift_loads(ir::Program& program, ir::Function& f, Block& body, const Local* index,
                const ir::For& loop, const ir::LocalSet& arrays) {
  Lift(program, f, body, index, loop, arrays);
}

}  // namespace pyk2cu::emit
