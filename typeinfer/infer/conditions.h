// Conditions: values of type bool, and what is known of them while compiling.
//
// In:   values.  Out: bools, folded where that needs no rule of the language.
// Numba drops a branch only by what it knows before it infers types (early.h); what merely folds it
// types like anything else: folded_late() keeps the two apart.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include <optional>

#include "typeinfer/infer/emitter.h"

namespace pyk2cu::infer {

// The truth that is known while compiling, or null.
const bool* known(const ir::Expr* condition);
// What a condition comes to that was typed like any other, or nothing.
std::optional<bool> decided(const ir::Expr* condition);
// Does the comparison hold for an order of -1, 0 or 1?
bool holds(types::CompareOp op, int order);

ir::Expr* make_compare(Emitter& in, types::CompareOp op, ir::Expr* left, ir::Expr* right,
                       Span span);
ir::Expr* negate(Emitter& in, ir::Expr* condition);  // not c, folded
ir::Expr* logical(Emitter& in, bool is_and, ir::Expr* left, ir::Expr* right, Span span);
ir::Expr* truth(Emitter& in, ir::Expr* e, Span span);  // bool(e)
// A Const in a form that drops no branch.
ir::Expr* folded_late(Emitter& in, ir::Expr* condition);

}  // namespace pyk2cu::infer
