// f(a) with a contiguous `a`   ->   f__c(a): the variant of f that was compiled for such arrays
//
// In:   calls of entry points whose array arguments are all C contiguous.  Out: calls of their
// contiguous variants. Tested by tests/golden/functions.
#include "emit/lower/lower.h"
#include "emit/lower/walk.h"

namespace pyk2cu::emit {

namespace {

ir::Expr* without_layout(ir::Expr* e) {
  while (e->kind == ir::ExprKind::kConvert && ir::as<ir::Convert>(e)->op == ir::ConvertOp::kLayout)
    e = ir::as<ir::Convert>(e)->operand;
  return e;
}

void choose(ir::Call& call, ir::Function* variant) {
  if (variant->params.size() != call.args->size()) return;
  for (size_t i = 0; i < call.args->size(); ++i) {
    const types::Type* wanted = variant->params[i].local->type;
    const types::Type* given = without_layout((*call.args)[i])->type;
    if (wanted->is_array() && (!given->is_array() || given->layout != wanted->layout)) return;
  }
  for (ir::Expr*& arg : *call.args)
    if (arg->type->is_array()) arg = without_layout(arg);
  call.callee = variant;
}

}  // namespace

void variants(ir::Program& program) {
  std::unordered_map<const ir::Function*, ir::Function*> contiguous;
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads)
      if (overload.contiguous) contiguous[overload.function] = overload.contiguous;
  for (ir::Function* f : program.functions)
    for_each_expr_in(f->body, [&](ir::Expr* e) {
      if (e->kind != ir::ExprKind::kCall) return;
      const auto it = contiguous.find(ir::as<ir::Call>(e)->callee);
      if (it != contiguous.end()) choose(*ir::as<ir::Call>(e), it->second);
    });
}

}  // namespace pyk2cu::emit
