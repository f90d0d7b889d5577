// The functions of pyk/lanes on all values of a lane<T, W> at once, right for every argument.
//
//   pyk::lanes::sin(x, y)   y[k] = sin(x[k]);   pyk::lanes::pow(a, b, y)   y[k] = pow(a[k], b[k])
//
// y may be an argument. Where the form that vectorises is not right for an argument, libm is asked
// afterwards, one value at a time: sin, cos and tan of angles beyond 2**27, which are rare.
// Tested by tests/fuzz/vector_math.py and tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/error.h"
#include "pyk/lanes/exponential.h"
#include "pyk/lanes/hyperbolic.h"
#include "pyk/lanes/inverse.h"
#include "pyk/lanes/lane.h"
#include "pyk/lanes/power.h"
#include "pyk/lanes/trigonometric.h"

namespace pyk::lanes {

namespace detail {

template <class T, int W>
PYK_INLINE bool any_is_rare_angle(const lane<T, W>& x) {
  bits_of<T> over = 0;  // its sign: is there one?
#pragma omp simd reduction(| : over)
  for (int k = 0; k < W; ++k) over |= over_most_turned(x[k]);
  return (over & sign_bit<T>) != 0;
}

template <class T, int W, class Fast, class Libm>
PYK_INLINE void each_angle(const lane<T, W>& x, lane<T, W>& y, Fast fast, Libm libm) {
  if (any_is_rare_angle(x)) {
    for (int k = 0; k < W; ++k) y[k] = is_rare_angle(x[k]) ? libm(x[k]) : fast(x[k]);
    return;
  }
#pragma omp simd
  for (int k = 0; k < W; ++k) y[k] = fast(x[k]);
}

}  // namespace detail

#define PYK_ANGLE(name)                                          \
  template <class T, int W>                                      \
  PYK_FN void name(const lane<T, W>& x, lane<T, W>& y) {         \
    detail::each_angle(                                          \
        x, y, [](T angle) { return name##_unless_rare(angle); }, \
        [](T angle) { return std::name(angle); });               \
  }
#define PYK_ONE(name)                                                  \
  template <class T, int W>                                            \
  PYK_FN void name(const lane<T, W>& x, lane<T, W>& y) {               \
    _Pragma("omp simd") for (int k = 0; k < W; ++k) y[k] = name(x[k]); \
  }
#define PYK_TWO(name)                                                         \
  template <class T, int W>                                                   \
  PYK_FN void name(const lane<T, W>& a, const lane<T, W>& b, lane<T, W>& y) { \
    _Pragma("omp simd") for (int k = 0; k < W; ++k) y[k] = name(a[k], b[k]);  \
  }
#include "pyk/lanes/functions.h"

}  // namespace pyk::lanes
