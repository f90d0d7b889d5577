// Some values side by side: an aligned array and nothing more.
//
//   pyk::lane<double, 64> x;   x[3] = 1.5;
//
// Tested by tests/unit/runtime/lanes_test.cpp.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T, int W>
struct alignas(64) lane {
  T at[W];

  T& operator[](int k) { return at[k]; }
  const T& operator[](int k) const { return at[k]; }
};

}  // namespace pyk
