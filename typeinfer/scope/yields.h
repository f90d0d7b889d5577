// Which functions are generators.
//
// In:   a def.  Out: does a `yield` stand in it, outside of the functions inside? Python asks no
// more: one that is never reached counts. Tested by tests/run/test_generators.py.
#pragma once

#include "frontend/ast/ast.h"

namespace pyk2cu::scope {

bool yields(const ast::FunctionDef& def);

}  // namespace pyk2cu::scope
