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

// Calls f with every block inside a statement.
template <class F>
void for_each_block(const ir::Stmt& stmt, const F& f) {
  if (stmt.kind == ir::StmtKind::kIf) {
    f(*ir::as<ir::If>(&stmt)->body);
    if (ir::as<ir::If>(&stmt)->orelse) f(*ir::as<ir::If>(&stmt)->orelse);
  } else if (stmt.kind == ir::StmtKind::kFor) {
    f(*ir::as<ir::For>(&stmt)->body);
  } else if (stmt.kind == ir::StmtKind::kWhile) {
    f(*ir::as<ir::While>(&stmt)->body);
  }
}

}  // namespace pyk2cu::pyext
