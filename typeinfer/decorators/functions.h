// The functions of a file as types beside it name them: by qualified name, or by line.
//
// In:   a parsed file.  Out: every `def` and `lambda`, in source order.
// Rule: a qualified name is Python's without `<locals>`: `f`, `Class.method`, `factory.inner`. A
//       line is that of the `def`, or of a decorator above it.
// Tested by tests/unit/typeinfer/roots_test.cpp and tests/run/test_record.py.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"

namespace pyk2cu::decorators {

struct FunctionPlace {
  const ast::FunctionDef* def = nullptr;  // or
  const ast::Lambda* lambda = nullptr;
  std::string name{};  // "" of a lambda
  int first_line = 0;  // of the first decorator
  int line = 0;        // of the `def` or `lambda`
};

std::vector<FunctionPlace> functions_of(const ast::Module& module);

// Those of a qualified name, or of a line ("12").
std::vector<const FunctionPlace*> find_functions(const std::vector<FunctionPlace>& places,
                                                 std::string_view name);

}  // namespace pyk2cu::decorators
