// How much a compiled function does, seen from outside: what decides about the GIL.
//
// In:   a function of the IR.  Out: Work: does it loop, does an array's size bound its loops, is
// OpenMP
//       inside. Calls count as their callees; recursion counts as unbounded.
// Tested by tests/unit/emit/pyext_test.cpp.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::pyext {

struct Work {
  int depth = 0;  // of nested loops whose bounds arrays give
  bool is_long =
      false;  // loops of a length that no array tells, or deeper than the arrays have axes
  bool is_parallel = false;
};

Work work_of(const ir::Function& function);

}  // namespace pyk2cu::pyext
