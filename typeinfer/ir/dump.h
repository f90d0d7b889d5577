// The program as readable text: --dump-ir, unit tests, goldens.
//
//   kernel saxpy(a: float64, x: float32[:], y!: float32[:]) -> void, may raise
//     for i: int64 = 0 .. Query(len x):
//       y[wrap i] = round<float32>((a * exact<float64>(x[wrap i])))
//
// In: a Program or a Function.  Out: text; `!` marks written parameters. Locals of equal name and
// type are one name. Tested by tests/unit/typeinfer/infer_stmt_test.cpp.
#pragma once

#include <string>

#include "typeinfer/ir/ir.h"

namespace pyk2cu::ir {

std::string dump(const Program& program);
std::string dump(const Function& function);
std::string dump(const Expr& expr);

}  // namespace pyk2cu::ir
