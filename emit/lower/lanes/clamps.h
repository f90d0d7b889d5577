// What branches keep within bounds, as a value: its loop's middle can decide it (borders.h).
//
//   lo = i - w
//   if lo < 0: lo = 0      ->   lo = max(i - w, 0)
//
//   if i < w: lo = 0
//   else: lo = i - w       ->   lo = 0 if i < w else i - w
//
//   a if a < b else b      ->   min(a, b)
//
// In:   statements.  Out: the same, where int64 of sums are chosen. Used by borders.cpp. Tested by
// tests/run/test_borders.py and tests/golden/gangs/borders.py.
#pragma once

#include "typeinfer/ir/builder.h"

namespace pyk2cu::emit {

void clamps(ir::Program& program, ir::Block& block);

}  // namespace pyk2cu::emit
