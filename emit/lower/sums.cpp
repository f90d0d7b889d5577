// Sums of floats and complex numbers whose order counts, without vectors.
//
//   for i in range(n): s += x[i] * y[i]   ->   s = in_order(s + x[i] * y[i])
//
// GCC makes vectors of the products and takes them apart again to add one after the other, which
// waits longer than the sum itself. Where a turn has much to compute beside, or to choose, vectors
// are worth it.
// In: functions, in their final form.  Out: Binary::in_order of what innermost loops add up; none
// where `fastmath` allows any order. Tested by tests/golden/passes/sums.py and
// tests/run/test_sums.py.
#include <algorithm>

#include "emit/lower/costs.h"
#include "emit/lower/flow.h"
#include "emit/lower/iterations.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Stmt;
using ir::StmtKind;

namespace {

// Operations for one sum that vectors are worth, and for one of complex numbers, whose parts GCC
// adds beside one another. Loops of few turns it writes out.
constexpr int64_t kMuch = 12, kMuchOfParts = 5, kFewTurns = 9;

// Elements as they lie take no vector instruction but the one that loads them, which parts complex
// numbers.
bool computes(const ir::Expr* e) {
  if (e->type->is_complex()) return true;
  const auto* element = ir::try_as<ir::Element>(e);
  if (!element) return e->kind != ir::ExprKind::kLoad && !ir::constant(e);
  bool found = element->indices.back().wrap;
  ir::for_each_subexpr(element->indices.back().value, [&](const ir::Expr* part) {
    const auto* b = ir::try_as<ir::Binary>(part);
    found = found || (part->kind != ir::ExprKind::kLoad && !ir::constant(part) &&
                      !(b && (b->op == BinaryOp::kAdd || b->op == BinaryOp::kSub)));
  });
  return found;
}

// Does it add a float, or a complex number, to a variable?
bool adds(const Stmt* s) {
  const auto* u = ir::try_as<ir::Update>(s);
  return u && (u->op == BinaryOp::kAdd || u->op == BinaryOp::kSub) &&
         u->value->type->is_inexact() && u->place.local && u->place.local->lanes == 0;
}

// x += y * z   ->   x = in_order(x + y * z)
void update(ir::Program& program, Stmt*& s) {
  if (!adds(s)) return;
  const auto& u = *ir::as<ir::Update>(s);
  if (!computes(u.value)) return;
  const ir::Builder b{program, s->span};
  ir::Binary* sum = b.updated(u);
  if (!sum) return;
  sum->in_order = true;
  s = b.assign(u.place.local, sum);
}

// An innermost loop without a choice, which C++ compilers make vectors or else a branch of? What is
// foreseen is a branch, whatever it holds.
bool is_straight(const ir::Block& body) {
  if (ir::any_stmt(body, [](const Stmt* s) { return ir::is_loop(s); })) return false;
  return std::ranges::none_of(body, [](const Stmt* s) {
    const auto* branch = ir::try_as<ir::If>(s);
    bool chooses = branch && !is_foreseen(*branch);
    ir::for_each_expr(s, [&](const ir::Expr* e) {
      ir::for_each_subexpr(e, [&](const ir::Expr* part) {
        chooses =
            chooses || part->kind == ir::ExprKind::kSelect || part->kind == ir::ExprKind::kLogical;
      });
    });
    return chooses;
  });
}

// Of all loops that go on in the order of the source.
void block(ir::Program& program, ir::Block& b) {
  for (Stmt* s : b) {
    const auto* loop = ir::try_as<ir::For>(s);
    const bool in_any_order = s->kind == StmtKind::kLanes || (loop && loop->simd);
    const bool repeats = ir::is_loop(s) && !in_any_order;
    ir::for_each_block(s, [&](ir::Block& body) {
      block(program, body);
      if (!repeats || !is_straight(body)) return;
      // What begins anew in every turn hinders no vector.
      const Flow flow = flow_of(body);
      const auto carries = [&](const Stmt* inner) {
        return adds(inner) && flow.exposes(ir::as<ir::Update>(inner)->place.local);
      };
      int64_t most = 0;
      bool parts = false;
      ir::for_each_stmt(body, [&](const Stmt* inner) {
        if (!carries(inner)) return;
        const bool is_complex = ir::as<ir::Update>(inner)->value->type->is_complex();
        most += is_complex ? kMuchOfParts : kMuch;
        parts = parts || is_complex;
      });
      if (cost_of_turn(body) > most || (parts && loop && turns_less(*loop, kFewTurns))) return;
      const auto each = [&](const auto& self, ir::Block& all) -> void {
        for (Stmt*& inner : all) {
          if (carries(inner)) update(program, inner);
          ir::for_each_block(inner, [&](ir::Block& side) { self(self, side); });
        }
      };
      each(each, body);
    });
  }
}

}  // namespace

void sums(ir::Program& program, ir::Function& f) {
  if (!f.is_relaxed()) block(program, f.body);
}

}  // namespace pyk2cu::emit
