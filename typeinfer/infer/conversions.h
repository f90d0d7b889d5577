// Values of one type as values of another.
//
// In:   values, types.  Out: values; constants are converted while compiling. What can fail when
// the program runs is checked by statements emitted first. Tested by
// tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include "typeinfer/infer/emitter.h"

namespace pyk2cu::infer {

// 0, False, (0, 0.0), None; null for types that have no zero (arrays).
ir::Expr* zero(Emitter& in, const Type* type, Span span = {});
// `e` as a value of type `to`: assignment, arguments, returns. Folds constants. Reports
// PK3005 and yields an error when there is no such conversion.
ir::Expr* convert(Emitter& in, ir::Expr* e, const Type* to, Span span);
// Like convert, for operands of an operation that is known to be possible: never reports.
ir::Expr* cast(Emitter& in, ir::Expr* e, const Type* to);
// The value inside an optional; raises TypeError when there is none.
ir::Expr* unwrap(Emitter& in, ir::Expr* e, Span span);

}  // namespace pyk2cu::infer
