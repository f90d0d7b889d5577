// sinh cosh tanh in lanes; special values as in C99.
//
//   worst error, ULP     sinh   cosh   tanh
//   float32              1.92   1.93   1.37    every one
//   float64              1.82   1.70   1.28    1e7 of all sizes
//
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/exponential.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct hyperbola;
template <>
struct hyperbola<double> {
  static constexpr double most = 710.6;  // inf beyond
  // sinh(r) = r + r * z * sinh(z), cosh(r) = 1 + z/2 + z*z * cosh(z), z = r*r, |r| <= ln(2) / 2
  PYK_INLINE double sinh(double z) {
    return polynomial(z, 0.16666666666666677, 0.0083333333333215007, 0.00019841269886519247,
                      2.7557243755982701e-06, 2.5109213370010589e-08);
  }
  PYK_INLINE double cosh(double z) {
    return polynomial(z, 0.041666666666666685, 0.0013888888888873225, 2.480158734933769e-05,
                      2.7557251692043216e-07, 2.0921812452449743e-09);
  }
};
template <>
struct hyperbola<float> {
  static constexpr float most = 89.5f;
  PYK_INLINE float sinh(float z) { return polynomial(z, 0.16666542f, 0.00836666208f); }
  PYK_INLINE float cosh(float z) { return polynomial(z, 0.0416664593f, 0.00139355822f); }
};

// exp(x) and exp(-x) from sinh and cosh of a fraction of ln(2), their sum and difference of those
template <class T>
struct exponentials {
  T sum, difference;    // a quarter of 2**n + 2**-n, of 2**n - 2**-n
  T sinh, cosh_less_1;  // of r
};
template <class T>
PYK_INLINE exponentials<T> exponentials_of(T x) {
  const reduced<T> by = by_ln2(x);
  const T z = by.r * by.r;
  const T sinh = by.r + multiply_add(by.r * z, hyperbola<T>::sinh(z), by.rest);
  const T cosh = multiply_add(z * z, hyperbola<T>::cosh(z), T(0.5) * z);
  const T up = power_of_2(by.n - T(2));
  const T down = by.n > T(64) ? T(0) : power_of_2(-by.n - T(2));
  return {up + down, up - down, sinh, cosh};
}

}  // namespace detail

template <class T>
PYK_INLINE T sinh(T x) {
  using of = detail::hyperbola<T>;
  const T y = detail::magnitude(x);
  const auto e = detail::exponentials_of(y);
  const T rest = detail::multiply_add(e.difference, e.cosh_less_1, e.sum * e.sinh);
  const T result = T(2) * (e.difference + rest);
  return detail::flipped(detail::within(y, T(1e-10), of::most, y, result, infinity<T>),
                         detail::sign_of(x));
}

template <class T>
PYK_INLINE T cosh(T x) {
  const T y = detail::magnitude(x);
  const auto e = detail::exponentials_of(y);
  const T rest = detail::multiply_add(e.sum, e.cosh_less_1, e.difference * e.sinh);
  const T result = T(2) * (e.sum + rest);
  return y > detail::hyperbola<T>::most ? infinity<T> : result;
}

template <class T>
PYK_INLINE T tanh(T x) {
  using of = detail::exponential<T>;
  // with e = exp(2*|x|): tanh = (e - 1)/2 / ((e - 1)/2 + 1)
  const T y = detail::magnitude(x);
  const detail::reduced<T> by = detail::by_ln2(T(2) * y);
  const T rest = detail::multiply_add(by.r * by.r, of::expm1(by.r), by.rest);
  const detail::twofold<T> p = detail::fast_two_sum(by.r, rest);
  const T half = detail::power_of_2(by.n - T(1));
  detail::twofold<T> over = detail::fast_two_sum(half - T(0.5), half * p.hi);
  over.lo = detail::multiply_add(half, p.lo, over.lo);
  detail::twofold<T> under = detail::two_sum(over.hi, T(1));
  under.lo += over.lo;
  const T result = detail::within(y, T(1e-10), T(22), y, detail::quotient(over, under), T(1));
  return detail::flipped(result, detail::sign_of(x));
}

}  // namespace pyk::lanes
