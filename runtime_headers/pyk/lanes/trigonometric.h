// sin cos tan in lanes; special values as in C99.
//
//   worst error, ULP      sin    cos    tan
//   float32              1.04   1.05   1.80    every one
//   float64              1.10   1.13   1.93    1e7 of all sizes
//
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/turns.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct circle;
template <>
struct circle<double> {
  // sin(r) = r + r * z * sin(z), cos(r) = 1 - z/2 + z*z * cos(z), z = r*r, |r| <= pi / 4
  PYK_INLINE double sin(double z) {
    return polynomial(z, -0.1666666666666663, 0.0083333333333219621, -0.0001984126982945709,
                      2.7557313573194143e-06, -2.505073989158201e-08, 1.5895756478693293e-10);
  }
  PYK_INLINE double cos(double z) {
    return polynomial(z, 0.041666666666666595, -0.0013888888888872822, 2.4801587288699641e-05,
                      -2.7557314134006714e-07, 2.0875694515515165e-09, -1.135820075317574e-11);
  }
};
template <>
struct circle<float> {
  PYK_INLINE float sin(float z) {
    return polynomial(z, -0.166666552f, 0.00833215378f, -0.000195143031f);
  }
  PYK_INLINE float cos(float z) {
    return polynomial(z, 0.0416666456f, -0.00138873071f, 2.44320418e-05f);
  }
};

// x = quadrant * pi/2 + r + rest, |r| <= pi / 4; of the quadrant, modulo 4
template <class T>
struct quartered {
  bits_of<T> quadrant;
  T r, rest;
};

// The reduction of float64, and the fast one of float32, are right up to here.
template <class T>
constexpr T most_turned = sizeof(T) == 8 ? T(0x1p27) : T(0x1p16);

// Its sign bit: is |x| more than that, or NaN?
template <class T>
PYK_INLINE bits_of<T> over_most_turned(T x) {
  return bits_as<bits_of<T>>(most_turned<T>) - bits_as<bits_of<T>>(magnitude(x));
}

// x >= 0, at most most_turned
PYK_INLINE quartered<double> near_quarters(double x) {
  const double turned = multiply_add(x, 0x1.45f306dc9c883p-1, format_of<double>::round);
  const double q = turned - format_of<double>::round;
  const uint64_t quadrant = bits_as<uint64_t>(turned);
  if constexpr (has_fma) {
    const double far = multiply_add(q, -0x1.921fb54442d18p+0, x);
    const twofold<double> second = two_product(q, 0x1.1a62633145c07p-54);
    const double r = far - second.hi, rest = multiply_add(q, 0x1.f1976b7ed8fbcp-110, -second.lo);
    return {quadrant, r, ((far - r) - second.hi) + rest};
  } else {
    const double far = (x - q * 0x1.921fb5p+0) - q * 0x1.110b46p-26;
    const double third = q * 0x1.1a6263p-54, r = far - third;
    return {quadrant, r, ((far - r) - third) - q * 0x1.8a2e03707344ap-81};
  }
}

template <class T>
PYK_INLINE T select(bits_of<T> mask, T a, T b) {
  return bits_as<T>(bits_of<T>((bits_as<bits_of<T>>(a) & mask) | (bits_as<bits_of<T>>(b) & ~mask)));
}
// Every double
PYK_INLINE quartered<double> quarters(double x) {
  uint64_t quadrant = 0;
  const twofold<double> turns = turned_by(x, quadrant);
  const twofold<double> r = two_product(turns.hi, 0x1.921fb54442d18p+2);
  const double rest =
      multiply_add(turns.lo, 0x1.921fb54442d18p+2, turns.hi * 0x1.1a62633145c07p-52);
  const twofold<double> sum = {r.hi, r.lo + rest};
  const twofold<double> left =
      has_fma ? fast_two_sum(sum.hi, sum.lo) : sum;  // SSE2 has 16 registers
  // the products of the least are not exact
  const uint64_t small =
      bits_of<double>(0) - ((bits_as<uint64_t>(x) - bits_as<uint64_t>(0.5)) >> 63);
  return {quadrant, select(small, x, left.hi + (x - x)), select(small, 0.0, left.lo)};
}

// Every float: 1 / (2*pi) in parts whose products with x are exact; only fractions count.
PYK_INLINE quartered<float> quarters(float of) {
  const double x = of;
  const double a = fraction_of_turn(x * 0x1.45f306dp-3), b = fraction_of_turn(x * 0x1.9391054p-32);
  const double c = fraction_of_turn(x * 0x1.4fe13abp-61), d = fraction_of_turn(x * 0x1.d1f534dp-90);
  const double e = fraction_of_turn(x * 0x1.b81b6c5p-119) + x * 0x1.5993c439041fep-150;
  const double turned = ((a + b) + (c + d) + e) * 4.0 + format_of<double>::round;
  // in this order no bit is lost where little is left
  const double left = a - (turned - format_of<double>::round) * 0.25;
  const double r = ((((left + b) + c) + d) + e) * 0x1.921fb54442d18p+2;
  const float near = float(r);
  return {uint32_t(bits_as<uint64_t>(turned)), near, float(r - double(near))};
}

PYK_INLINE quartered<float> near_quarters(float x) {
  if constexpr (has_fma) {
    const float turned = multiply_add(x, 0x1.45f306p-1f, format_of<float>::round);
    const float q = turned - format_of<float>::round;
    const float far = multiply_add(q, -0x1.921fb6p+0f, x);
    const twofold<float> second = two_product(q, -0x1.777a5cp-25f);
    const float r = far - second.hi, rest = multiply_add(q, 0x1.ee59dap-50f, -second.lo);
    return {bits_as<uint32_t>(turned), r, ((far - r) - second.hi) + rest};
  } else {
    const quartered<double> at = near_quarters(double(x));
    const float near = float(at.r);
    return {uint32_t(at.quadrant), near, float(at.r - double(near))};
  }
}

template <class T>
struct sine_and_cosine {
  twofold<T> sin, cos;
};
template <class T>
PYK_INLINE sine_and_cosine<T> on_quarter(const quartered<T>& at) {
  const T z = at.r * at.r, half = T(0.5) * z, near = T(1) - half;
  const T cos = multiply_add(z * z, circle<T>::cos(z), ((T(1) - near) - half) - at.r * at.rest);
  const T sin = multiply_add(at.r * z, circle<T>::sin(z), at.rest);
  return {fast_two_sum(at.r, sin), fast_two_sum(near, cos)};
}

// All ones where the lowest bit of q is set
template <class T>
PYK_INLINE bits_of<T> odd(bits_of<T> q) {
  return bits_of<T>(0) - (q & 1);
}
// bit 1 of q as a sign
template <class T>
PYK_INLINE bits_of<T> sign_from(bits_of<T> q) {
  return (q >> 1) << (8 * sizeof(T) - 1);
}

template <class T>
PYK_INLINE T sin_of(const quartered<T>& at, bits_of<T> sign) {
  const sine_and_cosine<T> both = on_quarter(at);
  const T y = select(odd<T>(at.quadrant), both.cos.hi, both.sin.hi);
  return flipped(y, sign_from<T>(at.quadrant) ^ sign);
}
template <class T>
PYK_INLINE T cos_of(const quartered<T>& at) {
  return sin_of(quartered<T>{at.quadrant + 1, at.r, at.rest}, 0);
}
template <class T>
struct sine_cosine {
  T sin, cos;
};
// The same bits as sin_of and cos_of
template <class T>
PYK_INLINE sine_cosine<T> sin_cos_of(const quartered<T>& at, bits_of<T> sign) {
  const sine_and_cosine<T> both = on_quarter(at);
  const bits_of<T> mask = odd<T>(at.quadrant);
  const T sin = select(mask, both.cos.hi, both.sin.hi);
  const T cos = select(mask, both.sin.hi, both.cos.hi);
  return {flipped(sin, sign_from<T>(at.quadrant) ^ sign),
          flipped(cos, sign_from<T>(at.quadrant + 1))};
}
template <class T>
PYK_INLINE T tan_of(const quartered<T>& at, bits_of<T> sign) {
  const sine_and_cosine<T> both = on_quarter(at);
  const bits_of<T> mask = odd<T>(at.quadrant);
  const T over = select(mask, both.cos.hi, both.sin.hi);
  const T over_rest = select(mask, both.cos.lo, both.sin.lo);
  const T under = select(mask, both.sin.hi, both.cos.hi);
  const T under_rest = select(mask, both.sin.lo, both.cos.lo);
  return flipped(quotient(twofold<T>{over, over_rest}, twofold<T>{under, under_rest}),
                 (mask & sign_bit<T>)^sign);
}

}  // namespace detail

template <class T>
PYK_INLINE T sin(T x) {
  if constexpr (sizeof(T) == 8 && !detail::has_fma) return std::sin(x);  // faster there
  return detail::sin_of(detail::quarters(detail::magnitude(x)), detail::sign_of(x));
}
template <class T>
PYK_INLINE T cos(T x) {
  if constexpr (sizeof(T) == 8 && !detail::has_fma) return std::cos(x);  // faster there
  return detail::cos_of(detail::quarters(detail::magnitude(x)));
}
template <class T>
PYK_INLINE T tan(T x) {
  if constexpr (sizeof(T) == 8 && !detail::has_fma) return std::tan(x);  // faster there
  return detail::tan_of(detail::quarters(detail::magnitude(x)), detail::sign_of(x));
}

template <class T>
PYK_INLINE detail::sine_cosine<T> sin_cos(T x) {
  if constexpr (sizeof(T) == 8 && !detail::has_fma) return {std::sin(x), std::cos(x)};
  return detail::sin_cos_of(detail::quarters(detail::magnitude(x)), detail::sign_of(x));
}

// Is x an angle for which the forms below are wrong?
template <class T>
PYK_INLINE bool is_rare_angle(T x) {
  return !(detail::magnitude(x) <= detail::most_turned<T>);
}

// Faster; not of rare angles
template <class T>
PYK_INLINE T sin_unless_rare(T x) {
  return detail::sin_of(detail::near_quarters(detail::magnitude(x)), detail::sign_of(x));
}
template <class T>
PYK_INLINE T cos_unless_rare(T x) {
  return detail::cos_of(detail::near_quarters(detail::magnitude(x)));
}
template <class T>
PYK_INLINE detail::sine_cosine<T> sin_cos_unless_rare(T x) {
  return detail::sin_cos_of(detail::near_quarters(detail::magnitude(x)), detail::sign_of(x));
}
template <class T>
PYK_INLINE T tan_unless_rare(T x) {
  return detail::tan_of(detail::near_quarters(detail::magnitude(x)), detail::sign_of(x));
}

}  // namespace pyk::lanes
