// Loops that count the bits of a whole number, in as many turns, become one instruction.
//
//   while x != 0: x &= x - 1; n += 1        ->   n += bit_count(x); x = 0
//   while x > 0: n += x & 1; x >>= 1        ->   if x > 0: n += bit_count(x); x = 0
//   while x: x //= 2; n += 1                ->   if x >= 0: n += bit_length(x); x = 0
//                                                else: the loop, which never ends
//
// x = 0 where somebody reads it behind the loop.
// C++ compilers know the first form alone; lanes that loop wait for the one with most bits.
// In: a function in front of all passes that rewrite arithmetic.  Out: the same values. Tested by
// tests/golden/passes/bits and tests/run/test_bits.py.
#include "emit/lower/flow.h"
#include "emit/lower/lower.h"
#include "emit/lower/parity.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// The other side of `local op …`; null: it is nothing like that.
const Expr* operand_of(const Expr* e, BinaryOp op, const Local* local) {
  const auto* b = ir::try_as<ir::Binary>(e);
  return b && b->op == op && b->type->is_int() && ir::loaded(b->left) == local ? b->right : nullptr;
}

bool is_by(const Expr* e, BinaryOp op, const Local* local, int64_t constant) {
  const Expr* other = operand_of(e, op, local);
  return other && ir::is_int_const(other, constant);
}

// The value as an integer of another type: bits of it are the same.
const Expr* converted(const Expr* e) {
  const auto* c = ir::try_as<ir::Convert>(e);
  return c && c->type->is_int() && c->operand->type->is_int() ? converted(c->operand) : e;
}

// Whose bits a loop takes away, and while it is what.
struct Asked {
  Local* local = nullptr;
  bool is_positive = false;  // > 0; else != 0
};

Asked asked_by(const Expr* condition) {
  if (const auto* truth = ir::try_as<ir::Convert>(condition))
    return {truth->op == ir::ConvertOp::kTruth ? ir::loaded(truth->operand) : nullptr};
  const auto* compare = ir::try_as<ir::Compare>(condition);
  if (!compare || !ir::is_int_const(compare->right, 0)) return {};
  const bool is_positive = compare->op == ir::CompareOp::kGt;
  if (!is_positive && compare->op != ir::CompareOp::kNe) return {};
  return {ir::loaded(compare->left), is_positive};
}

class Bits {
 public:
  Bits(ir::Program& program, ir::Function& f) : program_(program), behind_(f.body) {
    ir::replace_stmts(f.body, [&](Stmt* s, Block& out) {
      auto* loop = ir::try_as<ir::While>(s);
      return loop && replaces(*loop, out);
    });
  }

 private:
  bool replaces(ir::While& loop, Block& out) {
    const Asked asked = asked_by(loop.condition);
    Local* x = asked.local;
    if (!x || !x->type->is_int() || loop.body->size() != 2) return false;
    const auto *first = ir::try_as<ir::Assign>(loop.body->front()),
               *last = ir::try_as<ir::Assign>(loop.body->back());
    if (!first || !last) return false;
    const auto *taken = first->local == x ? first : last, *counted = taken == first ? last : first;
    if (taken->local != x || counted->local == x || !counted->local->type->is_int()) return false;
    const Expr* lowest = operand_of(taken->value, BinaryOp::kAnd, x);
    const bool drops = lowest && is_by(lowest, BinaryOp::kSub, x, 1);
    const bool shifts =
        is_by(taken->value, BinaryOp::kShr, x, 1) || is_by(taken->value, BinaryOp::kFloorDiv, x, 2);
    const Expr* by = operand_of(counted->value, BinaryOp::kAdd, counted->local);
    if (!by || !(drops || shifts)) return false;
    const bool each = ir::is_int_const(by, 1);
    const Expr* bit_of = lowest_bit_of(converted(by));
    const bool odd = bit_of && ir::loaded(converted(bit_of)) == x;
    if (!each && !(shifts && odd && counted == first)) return false;

    const ir::Builder b{program_, loop.span};
    const bool counts = drops || odd;
    const auto which = counts ? builtins::Id::pyk_bit_count : builtins::Id::pyk_bit_length;
    Expr* bits = b.builtin(which, types::int64(), {b.load(x)});
    const types::Type* type = counted->local->type;
    if (type != bits->type)
      bits = b.expr<ir::Convert>(type, ir::conversion(bits->type, type), bits);
    Stmt* add = b.assign(counted->local,
                         b.expr<ir::Binary>(type, BinaryOp::kAdd, b.load(counted->local), bits));
    Block* done = b.block({add});
    if (behind_.of(&loop).contains(x)) done->push_back(b.assign(x, b.zero(x->type)));
    if (!x->type->is_signed || (drops && !asked.is_positive)) {
      out.insert(out.end(), done->begin(), done->end());
    } else if (asked.is_positive) {
      out.push_back(b.if_(loop.condition, done));
    } else {
      Expr* ends = b.compare(ir::CompareOp::kGe, b.load(x), b.zero(x->type));
      out.push_back(b.if_(ends, done, b.block({&loop})));
    }
    return true;
  }

  ir::Program& program_;
  const ReadBehind behind_;
};

}  // namespace

void bits(ir::Program& program, ir::Function& f) {
  const auto is_while = [](const Stmt* s) { return s->kind == ir::StmtKind::kWhile; };
  if (ir::any_stmt(f.body, is_while)) Bits(program, f);
}

}  // namespace pyk2cu::emit
