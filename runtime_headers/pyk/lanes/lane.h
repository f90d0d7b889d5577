// One value for each of the W lanes of a gang, and what is asked of all lanes at once.
//
//   pyk::lane<double, 16> x{};    an array, aligned for vector registers, and nothing more
//   pyk::any(alive)               is a lane of the mask not 0?
//
// Masks hold 0 and 1. Tested by tests/run/test_gangs.py.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T, int W>
struct alignas(64) lane {
  T at[W];

  T& operator[](int k) { return at[k]; }
  const T& operator[](int k) const { return at[k]; }
};

template <class T, int W>
PYK_FN bool any(const lane<T, W>& mask) {
  T found = 0;
#pragma omp simd reduction(| : found)
  for (int k = 0; k < W; ++k) found |= mask[k];
  return found != 0;
}

}  // namespace pyk
