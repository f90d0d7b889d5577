// Some values side by side: an aligned array and nothing more.
//
//   pyk::lane<double, 64> x;   x[3] = 1.5;
//
// Tested by tests/run/test_lanes.py.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T, int W>
struct alignas(64) lane {
  T at[W];
  PYK_HD T& operator[](int k) { return at[k]; }
  PYK_HD const T& operator[](int k) const { return at[k]; }
};

}  // namespace pyk
