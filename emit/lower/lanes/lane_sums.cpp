// What lanes add to one variable that they share: see lane_code.h.
//
//   acc += e             one lane after the other where the order counts; else in vectors
//   acc = acc + e        of integers that wrap: added up without a sign, then at once
//
// In:   such a statement, its mask.  Out: runs. Tested by tests/golden/gangs.
#include "emit/lower/lanes/forms.h"
#include "emit/lower/lanes/lane_code.h"
#include "typeinfer/ir/effects.h"

namespace pyk2cu::emit {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprKind;
using ir::Local;
using ir::Stmt;

// acc = acc + e, which wraps   ->   part += e, in vectors, without a sign; acc = acc + part
bool LaneCode::gather_wrapping(Stmt* s, Local* mask, const Gathered& gathered) {
  const auto* a = ir::try_as<ir::Assign>(s);
  const auto* sum = a ? ir::try_as<ir::Binary>(a->value) : nullptr;
  Local* acc = gathered.reduction.local;
  if (!sum || !gathered.any_order || gathered.reduction.op != ir::ReduceOp::kAdd ||
      acc->type != types::int64() || a->local != acc || sum->type != acc->type)
    return false;
  const bool is_left = ir::loaded(sum->left) == acc;
  Expr* added = is_left ? sum->right : sum->left;
  const bool is_sum = sum->op == BinaryOp::kAdd || (sum->op == BinaryOp::kSub && is_left);
  if (!is_sum || (!is_left && ir::loaded(sum->right) != acc) || ir::reads(added, acc)) return false;
  const ir::Builder b{program_, s->span};
  const auto wraps = [&](const types::Type* type, Expr* e) {
    return b.expr<ir::Convert>(type, ir::ConvertOp::kWrap, e);
  };
  f_.locals.push_back(b.temp("part", types::uint64()));
  Local* part = f_.locals.back();
  ir::Place place{};
  place.local = part;
  Stmt* adds = b.stmt<ir::Update>(place, BinaryOp::kAdd, wraps(types::uint64(), added));
  adapt_all(adds, mask);
  runs_.flush();
  runs_.uniform(b.assign(part, b.integer(0, types::uint64())));
  runs_.add(mask ? b.if_(b.load(mask), b.block({adds})) : adds, Run::kVector, !mask);
  runs_.adds_to({ir::ReduceOp::kAdd, part});
  runs_.flush();
  Expr* all = wraps(acc->type, b.load(part));
  runs_.uniform(b.assign(acc, b.expr<ir::Binary>(acc->type, sum->op, b.load(acc), all)));
  return true;
}

// acc += e   ->   value[k] = e, in vectors; acc += value[k], one lane after the other
void LaneCode::gather(Stmt* s, Local* mask, const Gathered& gathered) {
  if (gather_wrapping(s, mask, gathered)) return;
  const ir::Builder b{program_, s->span};
  const auto take = [&](Expr*& e) {
    if (e->type->is_real() && e->kind != ExprKind::kLoad && e->kind != ExprKind::kElement &&
        shape_.varies(e) && !ir::reads(e, gathered.reduction.local))
      ahead(e, mask);
  };
  ir::for_each_expr(s, [&](Expr*& e) {
    if (const auto* call = ir::try_as<ir::Builtin>(e);
        call && ir::reads(e, gathered.reduction.local))
      ir::for_each_operand(e, take);
    else
      take(e);
  });
  adapt_all(s, mask);
  runs_.flush();
  const auto* update = ir::try_as<ir::Update>(s);
  const bool vector = gathered.any_order && update && has_vector_form(*update, gang_.forms);
  runs_.add(mask ? b.if_(b.load(mask), b.block({s})) : s, vector ? Run::kVector : Run::kScalar,
            !mask);
  if (vector) runs_.adds_to(gathered.reduction);
  runs_.flush();
}

Expr** added_to(const Gang& gang, ir::Assign& s) {
  auto* sum = ir::try_as<ir::Binary>(s.value);
  if (!sum || !gang.is_sum(s.local) || sum->type != s.local->type) return nullptr;
  if (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSub) return nullptr;
  const bool is_left = ir::loaded(sum->left) == s.local;
  if (!is_left && (ir::loaded(sum->right) != s.local || sum->op == BinaryOp::kSub)) return nullptr;
  Expr** added = is_left ? &sum->right : &sum->left;
  return ir::reads(*added, s.local) ? nullptr : added;
}

void add_chosen(ir::Program& program, Expr*& added, Local* mask) {
  const ir::Builder b{program, added->span};
  const ir::Const* number = ir::constant(added);
  if (number && added->type->is_int() && number->value.integer == 1) {
    added = b.expr<ir::Convert>(added->type, ir::ConvertOp::kExact, b.load(mask));
    return;
  }
  Expr** chosen = &added;
  while (auto* convert = ir::try_as<ir::Convert>(*chosen)) {
    if (convert->op != ir::ConvertOp::kExact || !convert->operand->type->is_float()) break;
    chosen = &convert->operand;
  }
  const types::Type* type = (*chosen)->type;
  *chosen = b.expr<ir::Select>(type, b.load(mask), *chosen, b.zero(type), ir::Choice::kBoth);
}

}  // namespace pyk2cu::emit
