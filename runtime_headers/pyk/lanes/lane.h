// One value for each of the W lanes of a gang, and what is asked of all lanes at once.
//
//   pyk::lane<double, 16> x{};    an array, aligned for vector registers, and nothing more
//   pyk::any(alive)               is there a lane of the masks that says yes?
//
// A mask<int64_t> is a bool, as wide as what it stands beside.
// Tested by tests/run/test_gangs.py.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T, int W>
struct alignas(64) lane {
  T at[W];

  T& operator[](int k) { return at[k]; }
  const T& operator[](int k) const { return at[k]; }
};

// A bool that is stored in an integer: no bits are set or all, as vectors compare.
template <class T>
struct mask {
  T bits;

  mask& operator=(bool b) {
    bits = -T(b);
    return *this;
  }
  operator bool() const { return bits < 0; }
};

template <class T, int W>
PYK_FN bool any(const lane<mask<T>, W>& masks) {
  T found = 0;
#pragma omp simd reduction(| : found)
  for (int k = 0; k < W; ++k) found |= masks[k].bits;
  return found != 0;
}

}  // namespace pyk
