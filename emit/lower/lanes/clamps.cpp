// Branches that keep integers within bounds: see clamps.h.
#include "emit/lower/lanes/clamps.h"

#include "typeinfer/ir/clone.h"
#include "typeinfer/ir/equal.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

using builtins::Id;
using ir::BinaryOp;
using ir::Block;
using ir::CompareOp;
using ir::Expr;
using ir::Local;
using ir::Stmt;

namespace {

// Numbers of registers: to compute them needs no branch, and raises nothing.
bool is_cheap(const Expr* e) {
  bool cheap = true;
  ir::for_each_subexpr(e, [&](const Expr* part) {
    const auto* binary = ir::try_as<ir::Binary>(part);
    const auto* call = ir::try_as<ir::Builtin>(part);
    const bool is_limit =
        call && (call->row->id == Id::builtins_min || call->row->id == Id::builtins_max);
    const bool is_operation = ir::try_as<ir::Unary>(part) || ir::try_as<ir::Compare>(part) ||
                              ir::try_as<ir::Logical>(part);
    cheap = cheap && (ir::constant(part) || ir::loaded(part) || ir::try_as<ir::Query>(part) ||
                      is_operation || is_limit || (binary && binary->op <= BinaryOp::kMul));
  });
  return cheap;
}

// The assignment of an int64 that all of a branch is; null: it is something else.
ir::Assign* only(const Block& block) {
  auto* a = block.size() == 1 ? ir::try_as<ir::Assign>(block.front()) : nullptr;
  return a && a->local->type == types::int64() && is_cheap(a->value) ? a : nullptr;
}

class Clamps {
 public:
  explicit Clamps(ir::Program& program) : program_(program) {}

  void run(Block& block) {
    Block out;
    for (Stmt* s : block) {
      ir::for_each_block(s, [&](Block& inner) { run(inner); });
      const auto* branch = ir::try_as<ir::If>(s);
      if (branch && (chooses(*branch, out) || limits(*branch, out))) continue;
      ir::for_each_expr(s, [&](Expr*& e) { choices(e); });
      out.push_back(s);
    }
    block = std::move(out);
  }

 private:
  // if c: x = a
  // else: x = b     ->   x = a if c else b
  bool chooses(const ir::If& branch, Block& out) {
    const ir::Assign *yes = only(*branch.body), *no = only(*branch.orelse);
    if (!yes || !no || yes->local != no->local || !is_cheap(branch.condition)) return false;
    const ir::Builder b{program_, branch.span};
    out.push_back(b.assign(yes->local, chosen(b, branch.condition, yes->value, no->value)));
    return true;
  }

  // x = a; if c: x = b   ->   x = b if c else a;   and with elif
  bool limits(const ir::If& branch, const Block& out) {
    const ir::Assign* first = only(*branch.body);
    ir::Assign* before = first ? last_of(first->local, out) : nullptr;
    if (!before || !is_cheap(before->value) || ir::reads(before->value, before->local))
      return false;
    Expr* value = limited(branch, *before);
    if (!value || !may_move(value, *before, out)) return false;
    before->value = value;
    return true;
  }

  // What the branch makes of it; null: something else too.
  Expr* limited(const ir::If& branch, const ir::Assign& before) {
    const ir::Assign* yes = only(*branch.body);
    if (!yes || yes->local != before.local || !is_cheap(branch.condition)) return nullptr;
    Expr* otherwise = ir::Cloner(program_).expr(before.value);
    if (!branch.orelse->empty()) {
      const auto* more = ir::try_as<ir::If>(branch.orelse->front());
      otherwise = more && branch.orelse->size() == 1 ? limited(*more, before) : nullptr;
      if (!otherwise) return nullptr;
    }
    const ir::Builder b{program_, branch.span};
    ir::Cloner cloner(program_);
    Expr *condition = cloner.expr(branch.condition), *value = cloner.expr(yes->value);
    for (Expr** e : {&condition, &value}) replace(*e, before.local, before.value);
    return chosen(b, condition, value, otherwise);
  }

  // What assigned it last, in front of it only such of others.
  static ir::Assign* last_of(const Local* local, const Block& out) {
    for (auto at = out.rbegin(); at != out.rend(); ++at) {
      auto* a = ir::try_as<ir::Assign>(*at);
      if (!a || a->local == local) return a;
    }
    return nullptr;
  }

  // Has nothing behind the assignment to do with it, or with what is asked?
  static bool may_move(const Expr* value, const ir::Assign& before, const Block& out) {
    for (auto at = out.rbegin(); *at != &before; ++at) {
      const auto* a = ir::as<ir::Assign>(*at);
      if (ir::reads(a->value, before.local) || ir::reads(value, a->local)) return false;
    }
    return true;
  }

  void replace(Expr*& e, const Local* local, const Expr* by) {
    if (ir::loaded(e) == local)
      e = ir::Cloner(program_).expr(by);
    else
      ir::for_each_operand(e, [&](Expr*& operand) { replace(operand, local, by); });
  }

  void choices(Expr*& e) {
    ir::for_each_operand(e, [&](Expr*& operand) { choices(operand); });
    auto* select = ir::try_as<ir::Select>(e);
    if (!select || select->type != types::int64()) return;
    if (Expr* limit = least_or_largest(select->condition, select->yes, select->no)) e = limit;
  }

  Expr* chosen(const ir::Builder& b, Expr* condition, Expr* yes, Expr* no) const {
    if (Expr* limit = least_or_largest(condition, yes, no)) return limit;
    return b.expr<ir::Select>(types::int64(), condition, yes, no);
  }

  // a if a < b else b   ->   min(a, b);   null: neither that nor max
  Expr* least_or_largest(const Expr* condition, Expr* yes, Expr* no) const {
    const auto* compare = ir::try_as<ir::Compare>(condition);
    if (!compare || compare->left->type != types::int64() || compare->right->type != types::int64())
      return nullptr;
    const CompareOp op = compare->op;
    const bool is_less = op == CompareOp::kLt || op == CompareOp::kLe;
    if (!is_less && op != CompareOp::kGt && op != CompareOp::kGe) return nullptr;
    const bool as_asked = ir::equal(compare->left, yes) && ir::equal(compare->right, no);
    if (!as_asked && (!ir::equal(compare->left, no) || !ir::equal(compare->right, yes)))
      return nullptr;
    const Id id = is_less == as_asked ? Id::builtins_min : Id::builtins_max;
    return ir::Builder{program_, condition->span}.builtin(id, types::int64(), {yes, no});
  }

  ir::Program& program_;
};

}  // namespace

void clamps(ir::Program& program, Block& block) { Clamps(program).run(block); }

}  // namespace pyk2cu::emit
