// Which loops surely run, as far as literals say.
//
// In:   syntax.  Out: yes, or "not known". Numba drops branches by the same knowledge before it
// infers types; see versions.cpp, which uses it. Tested by tests/unit/typeinfer/versions_test.cpp.
#pragma once

#include <optional>

#include "frontend/ast/ast.h"

namespace pyk2cu::scope {

// Does `range(3)` or `range(2, 5)`, spelled with literals, surely yield something?
bool surely_iterates(const ast::Expr* iter);
// True, 1 and other integers that are not zero.
bool is_true(const ast::Expr* test);
// The value of a literal int or float.
std::optional<double> literal_number(const ast::Expr* e);
bool literals_compare(ast::CompareOperator op, double left, double right);

}  // namespace pyk2cu::scope
