// exp exp2 expm1 log log2 log10 log1p in lanes; special values as in C99.
//
//   worst error, ULP      exp   exp2  expm1    log   log2  log10  log1p
//   float32              1.04   1.04   1.68   0.84   0.83   0.74   0.87    every one
//   float64              1.06   1.13   1.74   0.80   0.76   0.68   0.81    1e7 of all sizes
//
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/bits.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct exponential;
template <>
struct exponential<double> {
  static constexpr double least = -746, most = 710;      // exp: 0 and inf beyond
  static constexpr double least2 = -1076, most2 = 1025;  // exp2
  // ln(2) in two parts: multiples of the first by an exponent are exact
  static constexpr double ln2 = 6.93147180369123816490e-01, ln2_rest = 1.90821492927058770002e-10;
  static constexpr double log10_2 = 0x1.34413508p-2, log10_2_rest = 0x1.f79fef311f12bp-34;
  // log2(e), log10(e) in two parts: the product of the first and an upper part is exact
  static constexpr double log2_e = 0x1.715476p+0, log2_e_rest = 0x1.4ae0bf85ddf44p-26;
  static constexpr double log10_e = 0x1.bcb7b1p-2, log10_e_rest = 0x1.49b9438ca9aaep-28;
  // exp(r) = 1 + r + r*r * exp(r), |r| <= ln(2) / 2
  PYK_INLINE double exp(double r) {
    return polynomial(r, 0.50000000000000111, 0.16666666666666405, 0.041666666666528282,
                      0.0083333333334980712, 0.0013888888944214555, 0.0001984126950050843,
                      2.4801492414407916e-05, 2.7557590193675272e-06, 2.7630516751347493e-07,
                      2.4999359524605389e-08);
  }
  // the same; small in relation to r too
  PYK_INLINE double expm1(double r) {
    return polynomial(r, 0.5, 0.16666666666666677, 0.041666666666666505, 0.0083333333333215145,
                      0.0013888888888963511, 0.00019841269886477123, 2.4801587171029953e-05,
                      2.7557243804329398e-06, 2.7557403305524454e-07, 2.5109195070486918e-08,
                      2.0875315851856463e-09);
  }
  // log((1 + s) / (1 - s)) = 2*s + s * z * log(z), z = s*s, |s| <= 3 - 2*sqrt(2)
  PYK_INLINE double log(double z) {
    return polynomial(z, 0.6666666666666734, 0.39999999999414687, 0.28571428742385913,
                      0.22222198573338275, 0.18183564319053594, 0.15314050713515653,
                      0.14795948247573462);
  }
};
template <>
struct exponential<float> {
  static constexpr float least = -104, most = 89, least2 = -151, most2 = 129;
  static constexpr float ln2 = 0.693145752f, ln2_rest = 1.42860677e-6f;
  static constexpr float log10_2 = 0x1.344p-2f, log10_2_rest = 0x1.3509f8p-18f;
  static constexpr float log2_e = 0x1.714p+0f, log2_e_rest = 0x1.47652cp-12f;
  static constexpr float log10_e = 0x1.bcap-2f, log10_e_rest = 0x1.7b1526p-14f;
  PYK_INLINE float exp(float r) {
    return polynomial(r, 0.49999994f, 0.166665196f, 0.0416684002f, 0.00836885069f, 0.00138143217f);
  }
  PYK_INLINE float expm1(float r) {
    return polynomial(r, 0.5f, 0.166666657f, 0.0416663587f, 0.00833339058f, 0.00139408244f,
                      0.000198456066f);
  }
  PYK_INLINE float log(float z) { return polynomial(z, 0.666667759f, 0.399775416f, 0.298717469f); }
};

// x = n*ln(2) + r + rest, n whole, |r| <= ln(2) / 2
template <class T>
struct reduced {
  T n, r, rest;
};
template <class T>
PYK_INLINE reduced<T> by_ln2(T x) {
  using of = exponential<T>;
  const T n = nearest(x * T(1.4426950408889634));
  const T near = multiply_add(n, -of::ln2, x);
  const T r = multiply_add(n, -of::ln2_rest, near);
  return {n, r, multiply_add(n, -of::ln2_rest, near - r)};
}

// y where x is in this range, else what it is below and above. (To clamp x itself would be slower:
// g++ makes a case of the whole computation for each of the ends.)
template <class T>
PYK_INLINE T within(T x, T least, T most, T below, T y, T above) {
  const T high = x > most ? above : y;
  return x < least ? below : high;
}

// x = 2**k * m, sqrt(0.5) <= m < sqrt(2), x positive and finite
template <class T>
PYK_INLINE void split(T x, T& k, T& m) {
  using format = format_of<T>;
  using bits = typename format::bits;
  constexpr bits one = format::bias << format::mantissa;
  constexpr T shifted = T(bits(1) << format::mantissa);  // bits_as<T>(k | its bits) = k + shifted
  const bits b = bits_as<bits>(x) + (one - format::root_half);
  const bits biased = (b >> format::mantissa) | bits_as<bits>(shifted);
  k = bits_as<T>(biased) - (shifted + T(format::bias));
  constexpr bits fraction = (bits(1) << format::mantissa) - 1;
  m = bits_as<T>(bits((b & fraction) + format::root_half));
}
// of subnormal x, too, by bits: of a choice of floats g++ makes two of all that follows
template <class T>
PYK_INLINE void split_any(T x, T& k, T& m) {
  using format = format_of<T>;
  using bits = typename format::bits;
  const bits tiny = bits(0) - bits(x < format::normal);
  split(bits_as<T>(bits((bits_as<bits>(x * format::scale) & tiny) | (bits_as<bits>(x) & ~tiny))), k,
        m);
  k -= bits_as<T>(bits(bits_as<bits>(format::scaled) & tiny));
}

// log(1 + f) = f - (square - low)
template <class T>
struct near_one {
  T square, low;
};
template <class T>
PYK_INLINE near_one<T> log_near_one(T f) {
  const T s = f / (f + T(2)), z = s * s, square = T(0.5) * f * f;
  return {square, s * multiply_add(z, exponential<T>::log(z), square)};
}

// The logarithm y of x where x has one
template <class T>
PYK_INLINE T or_special(T x, T y) {
  const T finite = x == infinity<T> ? x : y;
  const T special = x == T(0) ? -infinity<T> : not_a_number<T>;
  return x > T(0) ? finite : special;
}

// k * log(2) + log(m) in a base: its logarithm of 2 and of e, in two parts each
template <class T>
PYK_INLINE T log_in_base(T x, T of_2, T of_2_rest, T of_e, T of_e_rest) {
  T k, m;
  split_any(x, k, m);
  const T f = m - T(1);
  const near_one<T> log = log_near_one(f);
  const T hi = upper(f - log.square), lo = (f - hi) - log.square + log.low;
  const T whole = k * of_2, fraction = hi * of_e;  // both exact
  const T rest = multiply_add(k, of_2_rest, multiply_add(lo + hi, of_e_rest, lo * of_e));
  const twofold<T> y = fast_two_sum(whole, fraction);
  return or_special(x, y.hi + (y.lo + rest));
}

// exp(x) = (1 + p) * 2**n
template <class T>
PYK_INLINE T expm1_of_fraction(T x, T& n) {
  n = nearest(x * T(1.4426950408889634));
  T r = multiply_add(n, -exponential<T>::ln2, x);
  r = multiply_add(n, -exponential<T>::ln2_rest, r);
  return multiply_add(r * r, exponential<T>::exp(r), r);
}
// exp(x) = p * 2**n
template <class T>
PYK_INLINE T exp_of_fraction(T x, T& n) {
  return expm1_of_fraction(x, n) + T(1);
}
// where that is a normal number
template <class T>
PYK_INLINE T exp_of_normal(T x) {
  T n;
  const T p = exp_of_fraction(x, n);
  return p * power_of_2(n);
}

}  // namespace detail

template <class T>
PYK_INLINE T exp(T x) {
  using of = detail::exponential<T>;
  T n;
  const T p = detail::exp_of_fraction(x, n), y = detail::near_one_times_power_of_2(p, n);
  return detail::within(x, of::least, of::most, T(0), y, infinity<T>);
}

template <class T>
PYK_INLINE T exp2(T x) {
  using of = detail::exponential<T>;
  const T n = detail::nearest(x), r = (x - n) * T(0.69314718055994531);
  const T p = detail::multiply_add(r * r, of::exp(r), r) + T(1);
  const T y = detail::near_one_times_power_of_2(p, n);
  return detail::within(x, of::least2, of::most2, T(0), y, infinity<T>);
}

template <class T>
PYK_INLINE T expm1(T x) {
  using of = detail::exponential<T>;
  const detail::reduced<T> by = detail::by_ln2(x);
  const T p = by.r + detail::multiply_add(by.r * by.r, of::expm1(by.r), by.rest);
  // half of it: 2**n may be out of range where the result is not
  const T half = detail::power_of_2(by.n - T(1));
  const T y = T(2) * detail::multiply_add(half, p, half - T(0.5));
  const T all = detail::within(x, T(-60), of::most, T(-1), y, infinity<T>);
  return detail::magnitude(x) < T(1e-20) ? x : all;
}

template <class T>
PYK_INLINE T log(T x) {
  using of = detail::exponential<T>;
  T k, m;
  detail::split_any(x, k, m);
  const T f = m - T(1);
  const detail::near_one<T> log = detail::log_near_one(f);
  const T low = detail::multiply_add(k, of::ln2_rest, log.low);
  return detail::or_special(x, k * of::ln2 - ((log.square - low) - f));
}

template <class T>
PYK_INLINE T log2(T x) {
  using of = detail::exponential<T>;
  return detail::log_in_base(x, T(1), T(0), of::log2_e, of::log2_e_rest);
}

template <class T>
PYK_INLINE T log10(T x) {
  using of = detail::exponential<T>;
  return detail::log_in_base(x, of::log10_2, of::log10_2_rest, of::log10_e, of::log10_e_rest);
}

template <class T>
PYK_INLINE T log1p(T x) {
  using of = detail::exponential<T>;
  const detail::twofold<T> sum = detail::two_sum(T(1), x);
  T k, m;
  detail::split(sum.hi, k, m);
  const T f = m - T(1);
  const detail::near_one<T> log = detail::log_near_one(f);
  const T rest = detail::multiply_add(k, of::ln2_rest, sum.lo / sum.hi) + log.low;
  const T y = detail::or_special(sum.hi, k * of::ln2 - ((log.square - rest) - f));
  return x == T(0) ? x : y;
}

}  // namespace pyk::lanes
