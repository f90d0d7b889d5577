// Questions about loops that several passes ask: see loops.h.
//
// In:   a loop and the function around it.  Out: yes or no, no where it is not known.
// Tested by tests/golden/openmp and tests/golden/lanes.
#include "emit/lower/loops.h"

#include <algorithm>

#include "emit/lower/walk.h"
#include "emit/print/declare.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;
using ir::StmtKind;

// Is `local` read behind `target`, when `after` says whether it is read behind the block?
// Nothing when the block does not hold the target.
std::optional<bool> read_behind(Block& block, const Stmt* target, const Local* local, bool after) {
  for (size_t i = block.size(); i-- > 0;) {
    Stmt* s = block[i];
    if (s == target) return after;
    std::optional<bool> found;
    for_each_block(s, [&](Block& inner) {
      const bool loop = s->kind == StmtKind::kFor || s->kind == StmtKind::kWhile;
      bool around = after;
      if (loop) {
        around = around || flow_of(inner, local).exposed;
        for_each_expr(s, [&](Expr*& e) { around = around || reads(e, local); });
      }
      if (!found) found = read_behind(inner, target, local, around);
    });
    if (found) return found;
    const Flow flow = flow_of(s, local);
    after = flow.exposed || (!flow.assigned && after);
  }
  return std::nullopt;
}

// The value is index * c + something that the loop does not change: every iteration has its own.
bool moves_with(Expr* e, const Local* index, ir::For& loop) {
  if (loaded(e) == index) return true;
  if (e->kind == ExprKind::kConvert) {  // uint8(i) comes back to the same values
    Expr* from = ir::as<ir::Convert>(e)->operand;
    const bool keeps = e->type->is_int() && from->type->is_int() &&
                       e->type->bits >= std::min<int>(from->type->bits, 32);
    return keeps && moves_with(from, index, loop);
  }
  if (e->kind != ExprKind::kBinary) {
    // a name for such a value, given once per iteration
    const Local* local = loaded(e);
    if (!local) return false;
    Expr* value = nullptr;
    int sets = 0;
    for_each_stmt(*loop.body, [&](Stmt* s) {
      if (s->kind == StmtKind::kAssign && ir::as<ir::Assign>(s)->local == local)
        value = ir::as<ir::Assign>(s)->value, ++sets;
    });
    return sets == 1 && !reads(value, local) && moves_with(value, index, loop);
  }
  auto& b = *ir::as<ir::Binary>(e);
  const auto fixed = [&](Expr* part) {
    bool same = !has_effect(part) && !reads_memory(part);
    for_each_subexpr(part, [&](Expr* x) {
      const Local* local = loaded(x);
      same = same && (!local || (local != index && !assigns(*loop.body, local)));
    });
    return same;
  };
  switch (b.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      return (moves_with(b.left, index, loop) && fixed(b.right)) ||
             (moves_with(b.right, index, loop) && fixed(b.left));
    case BinaryOp::kMul: {
      const ir::Const *l = constant(b.left), *r = constant(b.right);
      return (l && l->value.integer != 0 && moves_with(b.right, index, loop)) ||
             (r && r->value.integer != 0 && moves_with(b.left, index, loop));
    }
    default:
      return false;
  }
}

// Known before the loop: reads only what the body does not assign.
bool is_known(Expr* e, Block& body, const Local* index) {
  bool known = !has_effect(e) && !reads_memory(e);
  for_each_subexpr(e, [&](Expr* part) {
    const Local* local = loaded(part);
    known = known && (!local || (local != index && !assigns(body, local)));
    known = known && part->kind != ExprKind::kSelect && part->kind != ExprKind::kBuiltin;
  });
  return known;
}

namespace {

bool same_indices(const std::vector<ir::Index>& a, const std::vector<ir::Index>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const ir::Index& x, const ir::Index& y) { return same_expr(x.value, y.value); });
}

// Nothing else in the body meets what the store writes, except at the same place.
bool is_alone(const ir::Store& store, Block& body, Aliasing aliasing) {
  bool alone = true;
  const auto meets = [&](const Expr* array, const std::vector<ir::Index>& indices) {
    if (same_expr(array, store.array)) return !same_indices(indices, *store.indices);
    return aliasing == Aliasing::kPossible;
  };
  for_each_expr_in(body, [&](Expr* e) {
    if (e->kind != ExprKind::kElement) return;
    alone = alone && !meets(ir::as<ir::Element>(e)->array, *ir::as<ir::Element>(e)->indices);
  });
  for_each_stmt(body, [&](Stmt* s) {
    if (s->kind != StmtKind::kStore) return;
    alone = alone && !meets(ir::as<ir::Store>(s)->array, *ir::as<ir::Store>(s)->indices);
  });
  return alone;
}

}  // namespace

bool stores_its_own(ir::For& s, Aliasing aliasing) {
  bool own = true;
  for_each_stmt(*s.body, [&](Stmt* at) {
    if (at->kind != StmtKind::kStore) return;
    auto& store = *ir::as<ir::Store>(at);
    own = own && is_alone(store, *s.body, aliasing) &&
          std::any_of(store.indices->begin(), store.indices->end(),
                      [&](ir::Index& i) { return moves_with(i.value, s.index, s); });
  });
  return own;
}

bool is_straight(ir::For& s) {
  bool straight = stores_its_own(s, Aliasing::kPossible);
  for_each_stmt(*s.body, [&](Stmt* at) {
    straight = straight && (at->kind == StmtKind::kAssign || at->kind == StmtKind::kStore ||
                            at->kind == StmtKind::kIf);
  });
  for_each_expr_in(*s.body, [&](Expr* e) { straight = straight && !has_effect(e); });
  return straight;
}

}  // namespace pyk2cu::emit
