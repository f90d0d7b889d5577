// Generators: see yields.h. Tested by tests/run/test_generators.py.
#include "typeinfer/scope/yields.h"

namespace pyk2cu::scope {

namespace {

bool yields_inside(const ast::Node& node) {
  using ast::Kind;
  if (node.kind == Kind::kYield || node.kind == Kind::kYieldFrom) return true;
  if (node.kind == Kind::kFunctionDef || node.kind == Kind::kAsyncFunctionDef ||
      node.kind == Kind::kLambda || node.kind == Kind::kClassDef)
    return false;
  bool found = false;
  ast::for_each_child(node, [&](const ast::Node& child) { found = found || yields_inside(child); });
  return found;
}

}  // namespace

bool yields(const ast::FunctionDef& def) {
  for (const ast::Stmt* s : def.body)
    if (yields_inside(*s)) return true;
  return false;
}

}  // namespace pyk2cu::scope
