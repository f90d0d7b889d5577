// One of two values by an odd or even number: both are computed, and one is taken.
//
//   while n != 1:                          while n != 1:
//     if n % 2 == 0: n //= 2          ->     n = n // 2 if n % 2 == 0 else 3 * n + 1   (of both)
//     else:          n = 3 * n + 1
//
// Which number is odd no processor foresees: a branch is missed every other turn, and that takes
// longer than both values. In: functions behind lanes, in their final form.  Out: Select::of_both,
// in loops, of integers that a few operations without a division compute. Tested by
// tests/golden/passes/choices.py and tests/run/test_choices.py.
#include "emit/lower/lower.h"
#include "emit/lower/parity.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

constexpr int kFew = 4;  // operations of both sides that a missed branch is worth

bool is_simple(const Binary& b) {
  switch (b.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul:
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kAnd:
    case BinaryOp::kOr:
    case BinaryOp::kXor:
      return true;
    case BinaryOp::kFloorDiv:
      return ir::is_int_const(b.right, 2);
    default:
      return false;
  }
}

// Of numbers and variables, whatever they are: no memory, nothing that is slow or raises.
bool is_simple(const Expr* e, int& operations) {
  bool simple = e->type->is_int();
  if (const auto* b = ir::try_as<Binary>(e)) {
    simple = simple && is_simple(*b);
    ++operations;
  } else if (e->kind == ir::ExprKind::kConvert || e->kind == ir::ExprKind::kUnary) {
    ++operations;
  } else {
    simple = simple && (ir::loaded(e) || ir::constant(e));
  }
  ir::for_each_operand(e,
                       [&](const Expr* part) { simple = simple && is_simple(part, operations); });
  return simple;
}

class Choices {
 public:
  explicit Choices(ir::Program& program) : program_(program) {}

  void block(Block& b, bool in_loop) {
    for (Stmt*& s : b) {
      const bool turns = s->kind == ir::StmtKind::kFor || s->kind == ir::StmtKind::kWhile;
      ir::for_each_block(s, [&](Block& inner) { block(inner, in_loop || turns); });
      auto* branch = in_loop ? ir::try_as<ir::If>(s) : nullptr;
      if (branch && parity_of(branch->condition).of) s = chosen(*branch);
    }
  }

 private:
  Stmt* chosen(ir::If& s) const {
    if (s.body->size() != 1 || s.orelse->size() != 1) return &s;
    const auto [left, yes] = assigned(s.body->front());
    const auto [right, no] = assigned(s.orelse->front());
    int operations = 0;
    const bool fits = left && left == right && left->type->bits >= 32 && left->lanes == 0 &&
                      yes->type == no->type && is_simple(yes, operations) &&
                      is_simple(no, operations) && operations <= kFew;
    if (!fits) return &s;
    const ir::Builder b{program_, s.span};
    auto* both = b.expr<ir::Select>(yes->type, s.condition, anyhow(yes), anyhow(no));
    both->of_both = true;
    return b.assign(left, both);
  }

  // What a statement gives a variable; null: it does something else.
  std::pair<Local*, Expr*> assigned(Stmt* s) const {
    if (auto* a = ir::try_as<ir::Assign>(s)) return {a->local, a->value};
    const auto* u = ir::try_as<ir::Update>(s);
    Expr* value = u ? ir::Builder{program_, s->span}.updated(*u) : nullptr;
    return value ? std::pair{u->place.local, value} : std::pair<Local*, Expr*>{};
  }

  // As it may be computed where the other one is taken: it may overflow there.
  static Expr* anyhow(Expr* e) {
    ir::for_each_subexpr(e, [](Expr* part) {
      if (auto* b = ir::try_as<Binary>(part)) b->natural = b->plain = false;
      if (auto* u = ir::try_as<ir::Unary>(part)) u->plain = false;
    });
    return e;
  }

  ir::Program& program_;
};

}  // namespace

void choices(ir::Program& program, ir::Function& f) { Choices(program).block(f.body, false); }

}  // namespace pyk2cu::emit
