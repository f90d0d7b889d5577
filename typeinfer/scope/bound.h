// What a piece of the tree binds: helpers of versions.cpp.
//
// In:   a statement or expression.  Out: names, not looking into inner functions.
// Tested by tests/unit/typeinfer/versions_test.cpp.
#pragma once

#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"

namespace pyk2cu::scope {

// The names that `node` binds, once per binding.
void bound_names(const ast::Node& node, std::vector<Symbol>& out);

// The lambdas and defs that each name is bound to: reading the name reads their captures.
void bound_functions(const ast::Node& node,
                     std::unordered_map<Symbol, std::vector<const ast::Node*>>& out);

}  // namespace pyk2cu::scope
