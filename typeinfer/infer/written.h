// Which array parameters a function may store through, here or in what it calls.
//
// In:   a finished ir::Function whose callees are finished.  Out: Param::written.
// A local array may be a view of another one, so stores are followed back through assignments.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <functional>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::infer {

void mark_written(ir::Function& function);

// f(operand) for each direct operand of an expression; nothing for null.
void for_each_operand(const ir::Expr* e, const std::function<void(const ir::Expr*)>& f);

}  // namespace pyk2cu::infer
