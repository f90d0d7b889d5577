// What is known while compiling, as operands: literals, and values that module-level names have.
//
// In:   ast::Constant, fold::Value.  Out: constants of the IR, dtypes, strings, None and the like.
// Tested by tests/unit/typeinfer/infer_expr_test.cpp.
#pragma once

#include "typeinfer/infer/emitter.h"

namespace pyk2cu::infer {

Operand literal(Emitter& in, const ast::Constant& c);
// `name`: what the value is called, for messages and arrays.
Operand constant(Emitter& in, const fold::Value& value, Symbol name, Span span);

}  // namespace pyk2cu::infer
