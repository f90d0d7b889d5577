// The arguments of exceptions: numbers, None, and texts, which may have values filled in.
//
//   raise ValueError(f"bad {n}", 3)     ->  Raise with args ("bad {}" of 1), n, 3
//   raise ValueError("bad %d" % n)      ->  ("bad {:d}" of 1), n
// In:   the arguments of the call.  Out: a flat list; a text with places (Value::kFormat) stands
// before the values that fill them. Python's str.format makes the text when the exception is made.
// Tested by tests/run/test_messages.py.
#pragma once

#include <vector>

#include "typeinfer/infer/expressions.h"

namespace pyk2cu::infer {

// What cannot be an argument is reported and left out.
std::vector<ir::Expr*> exception_args(Expressions& in, ast::Exprs args);

}  // namespace pyk2cu::infer
