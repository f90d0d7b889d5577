// A loop whose first and last iterations are special: where its middle begins and ends.
//
//   for x in range(width):                        begin, end = radius, width - radius
//     for xx in range(max(0, x - radius),   ->    for x in range(begin, end):
//                     min(width, x + radius + 1)):  for t in range(2 * radius + 1):
//       … a[y, xx] …                                  … a[y, x - radius + t] …
//
// Clips (min, max, %), guards (x > 0), and subscripts that may count from the end are decided there
// for all iterations: index set splitting. Where that sets no limits, the middle is the whole loop,
// whose windows begin at 0.
//
// In:   a counted loop.  Out: the loop of its middle, a copy, or nothing. Used by gangs.cpp. Tested
// by tests/golden/gangs, tests/run/test_borders.py and tests/run/test_windows.py.
#pragma once

#include <optional>

#include "emit/lower/lanes/safe_loads.h"

namespace pyk2cu::emit {

struct Middle {
  ir::For* loop = nullptr;                     // over [begin, end), which nothing has assigned yet
  ir::Local *begin = nullptr, *end = nullptr;  // null: over all that the loop is over
  ir::Expr *first = nullptr, *last = nullptr;  // their values, between the loop's own ends
  ir::Expr* condition = nullptr;               // what must hold for it; null: nothing
  Limits limits{};                             // of its index, if that holds
  bool is_open = false;  // nobody knows how many iterations its ends have

  bool is_whole() const { return !begin; }
};

// Is the inner loop over a window that moves with the other one? Of windows whose size nobody knows
// most have few elements.
bool is_window(const ir::For& inner, const ir::For& around);

// `read_behind`: what is read when an iteration is over, by the next one or behind the loop.
std::optional<Middle> middle_of(ir::Program& program, ir::Function& f, const ir::For& loop,
                                const Extents& extents, const ir::LocalSet& read_behind);

}  // namespace pyk2cu::emit
