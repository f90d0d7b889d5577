// f(a) with a contiguous `a`   ->   the variant of f that was compiled for such arrays
//
// In:   calls of entry points.  Out: calls of the first variant whose guards the types of the
// arguments prove. Tested by tests/golden/functions.
#include <algorithm>

#include "emit/lower/lower.h"
#include "typeinfer/ir/builder.h"
#include "typeinfer/ir/walk.h"

namespace pyk2cu::emit {

namespace {

ir::Expr* without_layout(ir::Expr* e) {
  while (auto* c = ir::try_as<ir::Convert>(e)) {
    if (c->op != ir::ConvertOp::kLayout) break;
    e = c->operand;
  }
  return e;
}

bool holds(const ir::Guard& guard, const ir::Call& call) {
  if (guard.kind != ir::Guard::Kind::kContiguous) return false;
  const types::Type* type = without_layout(call.args[size_t(guard.param)])->type;
  return type->is_array() && type->layout == types::Layout::kC;
}

void choose(ir::Program& program, ir::Call& call, const ir::Overload& overload) {
  for (const ir::Variant& variant : overload.variants) {
    if (variant.function == call.callee) return;  // no better one fits
    if (variant.function->params.size() != call.args.size()) continue;
    const bool fits = std::all_of(variant.guards.begin(), variant.guards.end(),
                                  [&](const ir::Guard& guard) { return holds(guard, call); });
    if (!fits) continue;
    for (const ir::Guard& guard : variant.guards) {
      ir::Expr*& arg = call.args[size_t(guard.param)];
      const types::Type* type = variant.function->params[size_t(guard.param)].local->type;
      arg = without_layout(arg);
      if (arg->type != type)
        arg = ir::Builder{program, arg->span}.expr<ir::Convert>(type, ir::ConvertOp::kLayout, arg);
    }
    call.callee = variant.function;
    return;
  }
}

}  // namespace

void variants(ir::Program& program) {
  std::unordered_map<const ir::Function*, const ir::Overload*> overloads;
  for (const ir::Entry& entry : program.entries)
    for (const ir::Overload& overload : entry.overloads) overloads[overload.general()] = &overload;
  for (ir::Function* f : program.functions)
    ir::for_each_expr_in(f->body, [&](ir::Expr* e) {
      auto* call = ir::try_as<ir::Call>(e);
      if (!call) return;
      const auto it = overloads.find(call->callee);
      if (it != overloads.end()) choose(program, *call, *it->second);
    });
}

}  // namespace pyk2cu::emit
