// Rows of arrays that only give their elements: the elements are those of the whole array.
//
//   row = a[i]; x = row[0] + row[k]   ->   x = a[i, 0] + a[i, k]
//
// In:   the body of one iteration.  Out: it, without such views. Tested by
// tests/golden/gangs/rows.py.
#pragma once

#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

void forward_rows(ir::Program& program, ir::Function& f, ir::Block& body);

}  // namespace pyk2cu::emit
