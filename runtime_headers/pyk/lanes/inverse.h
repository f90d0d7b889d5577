// asin acos atan atan2 in lanes; special values as in C99.
//
//   worst error, ULP     asin   acos   atan  atan2
//   float32              1.16   1.15   1.53   1.58    every one; pairs: 1e7
//   float64              1.12   1.11   1.50   1.71    1e7 of all sizes
//
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/bits.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct inverse_circle;
template <>
struct inverse_circle<double> {
  static constexpr double pi = 0x1.921fb54442d18p+1, pi_rest = 0x1.1a62633145c07p-53;
  // asin(s) = s + s * z * asin(z), z = s*s, |s| <= 0.5625
  PYK_INLINE double asin(double z) {
    return polynomial(z, 0.16666666666666322, 0.07500000000097537, 0.044642857046707056,
                      0.030381949227595535, 0.022372018326384586, 0.017355437404665785,
                      0.013930365554159807, 0.011863084293373174, 0.0077659819665895514,
                      0.017479335069447873, -0.021647581055923466, 0.068556710068660459,
                      -0.076691279989267364, 0.059790782708374832);
  }
  // atan(t) = t + t * z * atan(z), z = t*t, |t| <= 1
  PYK_INLINE double atan(double z) {
    return polynomial(z, -0.33333333333333071, 0.19999999999951462, -0.14285714282575221,
                      0.11111111007030317, -0.090909070030754865, 0.076922798403651738,
                      -0.066664040669107166, 0.058805278728909373, -0.052535188224600494,
                      0.047223231606274667, -0.042191814910205308, 0.036641963577695745,
                      -0.029903943282355308, 0.021984958836041516, -0.013900660489691208,
                      0.007196574899377633, -0.0028849556399847777, 0.00083133505641572452,
                      -0.00015216373922937346, 1.3225364275539079e-05);
  }
};
template <>
struct inverse_circle<float> {
  static constexpr float pi = 0x1.921fb6p+1f, pi_rest = -0x1.777a5cp-24f;
  PYK_INLINE float asin(float z) {
    return polynomial(z, 0.166666314f, 0.0750211179f, 0.0442305245f, 0.0340200365f, 0.00671825884f,
                      0.0475082211f);
  }
  PYK_INLINE float atan(float z) {
    return polynomial(z, -0.333332986f, 0.199985489f, -0.142642424f, 0.109521873f, -0.0840345323f,
                      0.0579576194f, -0.0311778542f, 0.0109146032f, -0.00179361994f);
  }
};

// An angle in two parts: asin(s) = hi + lo
template <class T>
PYK_INLINE twofold<T> asin_of_part(T s, T z) {
  return {s, s * z * inverse_circle<T>::asin(z)};
}
template <class T>
PYK_INLINE twofold<T> atan_of_part(T t) {
  const T z = t * t;
  return {t, t * z * inverse_circle<T>::atan(z)};
}

// whole * pi + times * angle, whole 0, 0.5 or 1
template <class T>
PYK_INLINE T turned(T whole, T times, const twofold<T>& angle) {
  const twofold<T> sum = fast_two_sum(whole * inverse_circle<T>::pi, times * angle.hi);
  const T rest = multiply_add(whole, inverse_circle<T>::pi_rest, sum.lo);
  return sum.hi + multiply_add(times, angle.lo, rest);
}

// Where y = |x| is large, asin(y) = pi/2 - 2 * asin(s) with s = sqrt((1 - y) / 2).
template <class T>
constexpr T large_sine = T(0.5625);
template <class T>
PYK_INLINE twofold<T> asin_of_either(T y) {
  const bool large = y > large_sine<T>;
  const T z = large ? T(0.5) - T(0.5) * y : y * y;
  return asin_of_part(large ? std::sqrt(z) : y, z);
}

}  // namespace detail

template <class T>
PYK_INLINE T asin(T x) {
  const T y = detail::magnitude(x);
  const bool large = y > detail::large_sine<T>;
  const T angle =
      detail::turned(large ? T(0.5) : T(0), large ? T(-2) : T(1), detail::asin_of_either(y));
  return detail::flipped(angle, detail::sign_of(x));
}

template <class T>
PYK_INLINE T acos(T x) {
  const T y = detail::magnitude(x), sign = detail::flipped(T(1), detail::sign_of(x));
  const bool large = y > detail::large_sine<T>;
  const T whole = large ? T(0.5) - T(0.5) * sign : T(0.5);
  return detail::turned(whole, large ? sign + sign : -sign, detail::asin_of_either(y));
}

template <class T>
PYK_INLINE T atan(T x) {
  const T y = detail::magnitude(x);
  const bool steep = y > T(1);
  const T inverse = T(1) / y;
  const T angle = detail::turned(steep ? T(0.5) : T(0), steep ? T(-1) : T(1),
                                 detail::atan_of_part(steep ? inverse : y));
  return detail::flipped(angle, detail::sign_of(x));
}

template <class T>
PYK_INLINE T atan2(T y, T x) {
  const T a = detail::magnitude(y), b = detail::magnitude(x);
  const bool steep = a > b;
  const T most = steep ? a : b, least = steep ? b : a;
  const T equal = most == T(0) ? T(0) : T(1);  // both of them 0 or inf, too
  const T part = most == least ? equal : least / most;
  // from 0, pi/2 or pi, forth or back
  const T sign = detail::flipped(T(1), detail::sign_of(x));
  const T whole = steep ? T(0.5) : T(0.5) - T(0.5) * sign;
  const T angle = detail::turned(whole, steep ? -sign : sign, detail::atan_of_part(part));
  return detail::flipped(angle, detail::sign_of(y));
}

}  // namespace pyk::lanes
