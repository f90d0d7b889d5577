// One value for each of the W lanes of a gang, and what is asked of all lanes at once.
//
//   pyk::lane<double, 16> x{};         an array, aligned for vector registers, and nothing more
//   pyk::lane<pyk::mask<int64_t>, 16> alive;  bools as wide as what they stand beside:
//   alive.at[k] = alive[k] & (x[k] > 0);      they are set at their place, and read as bools
//   pyk::any(alive)                    does one of the lanes say yes?
//   pyk::total(parts)                  their sum, added in pairs
//
// Tested by tests/run/test_gangs.py and tests/run/test_masks.py.
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
};
template <class T, int W>
struct alignas(64) lane<mask<T>, W> {
  mask<T> at[W];

  bool operator[](int k) const { return at[k].bits < 0; }
};

template <class T, int W>
PYK_FN bool any(const lane<mask<T>, W>& masks) {
  T found = 0;
#pragma omp simd reduction(| : found)
  for (int k = 0; k < W; ++k) found |= masks.at[k].bits;
  return found != 0;
}

// join(x, y) of the first half of W lanes and the second, then of the halves of what that is, …:
// the first lane is that of all.
template <int W, class T, class Join>
PYK_FN void join_in_pairs(T* lanes, const Join& join) {
  if constexpr (W > 1) {
    _Pragma("omp simd") for (int k = 0; k < W / 2; ++k) lanes[k] = join(lanes[k], lanes[k + W / 2]);
    join_in_pairs<W / 2>(lanes, join);
  }
}

template <class T, int W>
PYK_FN T total(const lane<T, W>& parts) {
  lane<T, W> sums = parts;
  join_in_pairs<W>(sums.at, [](T x, T y) { return T(x + y); });
  return sums.at[0];
}

}  // namespace pyk
