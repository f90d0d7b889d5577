// Assignments: plain, chained, annotated, augmented; targets: names, elements, slices, unpacking.
//
//   x = e          -> Assign             a[i] = e       -> Store
//   a[1:3] = e     -> Eval pyk.copy(view, e) or pyk.fill(view, e)
//   x, y = y, x    -> what a target assigned earlier would change is saved in a temp first
// In:   assignment statements; a target and what it is given.  Out: statements, names bound.
// Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include "typeinfer/infer/expr.h"

namespace pyk2cu::infer {

void assign(Expressions& in, const ast::Assign& s);
void assign(Expressions& in, const ast::AnnAssign& s);
void assign(Expressions& in, const ast::AugAssign& s);
void store(Emitter& in, const Place& where, ir::Expr* v, Span span);
void assign(Expressions& in, const ast::Expr& target, const Operand& what, Span span);  // any form

}  // namespace pyk2cu::infer
