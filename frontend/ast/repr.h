// Python's repr() of literal values.
//
// In:   values as the tree holds them.  Out: the text that CPython 3.13 prints.
// Tested by tests/unit/frontend/dump_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "frontend/ast/ast.h"

namespace pyk2cu::ast {

std::string repr(double value);
std::string repr_str(std::string_view text);  // UTF-8, lone surrogates as three bytes
std::string repr_bytes(std::string_view bytes);
std::string repr(const ConstantValue& value);

}  // namespace pyk2cu::ast
