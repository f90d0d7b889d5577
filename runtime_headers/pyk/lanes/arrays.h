// The functions of pyk/lanes on all values of a lane<T, W> at once, right for every argument.
//
//   pyk::lanes::sin(x, y)   y[k] = sin(x[k]);   pyk::lanes::pow(a, b, y)   y[k] = pow(a[k], b[k])
//   pyk::lanes::sin_cos(x, s, c)   s[k] = sin(x[k]), c[k] = cos(x[k])
//
// y may be an argument. sin, cos and tan are faster here than one by one: unless one of the angles
// is larger than 2**27 (float32: 2**16), which is rare, a form is used that is right up to there.
// Tested by tests/unit/runtime/lanes_test.cpp.
#pragma once

#include "pyk/lanes/error.h"
#include "pyk/lanes/exponential.h"
#include "pyk/lanes/gamma.h"
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

}  // namespace detail

#define PYK_ANGLE(name)                                                                \
  template <class T, int W>                                                            \
  PYK_FN void name(const lane<T, W>& x, lane<T, W>& y) {                               \
    if (detail::any_is_rare_angle(x)) {                                                \
      _Pragma("omp simd") for (int k = 0; k < W; ++k) y[k] = name(x[k]);               \
    } else {                                                                           \
      _Pragma("omp simd") for (int k = 0; k < W; ++k) y[k] = name##_unless_rare(x[k]); \
    }                                                                                  \
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

// Both of one angle, the same bits as those of sin and cos.
template <class T, int W>
PYK_FN void sin_cos(const lane<T, W>& x, lane<T, W>& sine, lane<T, W>& cosine) {
  if (detail::any_is_rare_angle(x)) {
#pragma omp simd
    for (int k = 0; k < W; ++k) {
      const auto both = sin_cos(x[k]);
      sine[k] = both.sin;
      cosine[k] = both.cos;
    }
  } else {
#pragma omp simd
    for (int k = 0; k < W; ++k) {
      const auto both = sin_cos_unless_rare(x[k]);
      sine[k] = both.sin;
      cosine[k] = both.cos;
    }
  }
}

}  // namespace pyk::lanes
