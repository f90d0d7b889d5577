// Returns: see results.h. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#include "typeinfer/infer/results.h"

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

using ir::ExprKind;
using ir::StmtKind;

// A generator that returns is at its end.
void Results::leave_generator(const Operand& what, Span statement, Span value) {
  if (!what.is_error() && !what.is<None>())
    in_.not_supported(value, "`return` of a value in a generator",
                      "a loop over it never sees the value: write `return`");
  in_.emit(in_.make(ir::Return{{StmtKind::kReturn, statement}}));
  joins_.set_reachable(false);
}

void Results::add_yield(Operand what, Span statement, Span value) {
  ++left_;
  if (what.is<None>()) {
    in_.not_supported(statement, "`yield` without a value", "yield a number, an array or a tuple");
    what = error();
  }
  if (what.is<Pack>() || what.is<Str>()) what = to_operand(value_of(in_, what, statement));
  what.span = value;
  auto* node = in_.make(ir::Yield{{StmtKind::kYield, statement}, what.value()});
  if (what.is_value()) in_.emit(node);
  returned_.push_back({&in_.block(), node, &node->value, std::move(what)});
}

void Results::add(Operand what, Span statement, Span value) {
  ++left_;
  if (is_generator()) return leave_generator(what, statement, value);
  if (what.is<Pack>() || what.is<Str>()) what = to_operand(value_of(in_, what, statement));
  what.span = value;
  if (what.is_value()) what.set_value(in_.reclaim(what.value()));
  auto* node = in_.make(ir::Return{{StmtKind::kReturn, statement}, what.value()});
  in_.emit(node);
  returned_.push_back({&in_.block(), node, &node->value, std::move(what)});
  joins_.set_reachable(false);
}

// ---- the type ----------------------------------------------------------------------------------

bool Results::can_return(const Operand& what) {
  if (what.is_value() || what.is<None>()) return true;
  if (what.is<Function>() || what.is<DType>() || what.is<FieldClass>()) {
    in_.not_supported(what.span, "returning a function or a type", "return its result");
  } else {
    in_.report(what.span, diag::NotAValue, describe(what));
  }
  return false;
}

const Type* Results::type() {
  Operand result = error();
  Span where{};
  bool unknown = false;
  for (const Returned& returned : returned_) {
    unknown = unknown || returned.what.is_error();
    if (returned.what.is_error() || !can_return(returned.what)) continue;
    const Operand before = result;
    if (!merge(result, returned.what, in_.dialect())) {
      const auto name = [](const Operand& o) {
        return o.is_value() ? types::print(o.type()) : std::string("None");
      };
      in_.report(returned.what.span, diag::CannotUnifyResult, in_.context().function().name.str(),
                 name(before), name(returned.what))
          .note(where, diag::ReturnedHere, name(before));
      return types::error();
    }
    if (before.is_error()) where = returned.what.span;
  }
  if (result.is_error())
    return unknown || (returned_.empty() && !walked_) ? nullptr : types::void_();
  if (unwound_ && result.is_value() && !is_generator()) merge(result, {None{}}, in_.dialect());
  return result.is_value() ? result.type() : types::void_();
}

// ---- the values --------------------------------------------------------------------------------

// A value where nothing can be returned.
void Results::refuse_value(const Returned& returned) {
  const ir::Function& function = in_.context().function();
  if (function.kind == ir::FunctionKind::kKernel) {
    in_.report(returned.what.span, diag::KernelReturnsValue, function.name.str())
        .help("store it into an array that the caller passes");
  } else {
    in_.report(returned.what.span, diag::CannotConvert, types::print((*returned.value)->type),
               "none")
        .help("the signature says that nothing is returned");
  }
}

void Results::finish_one(Returned& returned, const Type* result) {
  ir::Expr*& value = *returned.value;
  const Span span = returned.what.span;
  const bool is_kernel = in_.context().function().kind == ir::FunctionKind::kKernel;
  if (result == types::void_() || is_kernel) {
    if (value) refuse_value(returned);
  } else if (!value && result->is_optional()) {
    value = zero(in_, result, returned.stmt->span);
  } else if (!value && returned.what.is<None>()) {
    in_.report(span, diag::CannotConvert, "None", types::print(result));
  } else if (!value) {
    in_.report(span, diag::NotAValue, describe(returned.what));
  } else if (value->type != result) {
    const ir::Block* moved = in_.into_block([&] {
      const bool alone = value->kind == ExprKind::kCall || value->kind == ExprKind::kNewArray ||
                         value->kind == ExprKind::kBuiltin;
      value = convert(in_, alone ? in_.spill(value, "result") : value, result, span);
    });
    insert_before(*returned.block, returned.stmt, *moved);
  }
}

void Results::finish(const Type* result) {
  ir::Function& function = in_.context().function();
  function.result = result ? result : types::void_();
  if (!result || result->is_error()) return;
  const Span first = returned_.empty() ? function.span : returned_.front().what.span;
  if (!in_.context().has_form(result, first)) return;
  for (Returned& returned : returned_)
    if (!returned.what.is_error()) finish_one(returned, result);
  const bool is_kernel = function.kind == ir::FunctionKind::kKernel;
  if (is_generator()) return;
  if (unwound_ && !is_kernel && result != types::void_() && !result->is_optional())
    in_.report(function.span, diag::CannotConvert, "None", types::print(result))
        .help("the body ends without a `return` on some path");
  if (unwound_ && result->is_optional())
    in_.emit(
        in_.make(ir::Return{{StmtKind::kReturn, function.span}, zero(in_, result, function.span)}));
}

}  // namespace pyk2cu::infer
