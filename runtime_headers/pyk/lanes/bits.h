// What every function of pyk/lanes is made of: formats, bits, polynomials, exact sums and products.
//
// Nothing here branches, calls or looks up; everything is inlined, so that g++ and clang vectorise
// the loop around it. Conditions compare floats, never 64-bit integers, which SSE2 and AVX2 lack.
// Errors of roundings are kept in a second number where they matter: not for -fassociative-math.
// Tested by tests/run/test_lanes.py.
#pragma once

#include <cstring>
#include <utility>

#include "pyk/config.h"

namespace pyk::lanes::detail {

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool has_fma = true;
#else
constexpr bool has_fma = false;
#endif

// a * b + c, rounded once where that is an instruction
template <class T>
PYK_INLINE T multiply_add(T a, T b, T c) {
  if constexpr (has_fma) {
    return std::fma(a, b, c);
  } else {
    return a * b + c;
  }
}

// c[0] + c[1]*x + c[2]*x**2 + …, pairs first (Estrin): short chains of dependences, no loop
template <class T>
PYK_INLINE T polynomial(T, T c0) {
  return c0;
}
template <class T, size_t... K, size_t N>
PYK_INLINE T polynomial_of_pairs(T x, const T (&c)[N], std::index_sequence<K...>);
template <class T, class... Rest>
PYK_INLINE T polynomial(T x, T c0, T c1, Rest... rest) {
  constexpr size_t count = 2 + sizeof...(rest);
  const T c[count] = {c0, c1, rest...};
  return polynomial_of_pairs(x, c, std::make_index_sequence<(count + 1) / 2>());
}
template <size_t K, class T, size_t N>
PYK_INLINE T pair(T x, const T (&c)[N]) {
  if constexpr (2 * K + 1 < N)
    return multiply_add(c[2 * K + 1], x, c[2 * K]);
  else
    return c[2 * K];
}
template <class T, size_t... K, size_t N>
PYK_INLINE T polynomial_of_pairs(T x, const T (&c)[N], std::index_sequence<K...>) {
  return polynomial(x * x, pair<K>(x, c)...);
}

template <class T>
struct format_of;
template <>
struct format_of<double> {
  using bits = uint64_t;
  static constexpr int mantissa = 52;
  static constexpr bits bias = 1023, root_half = 0x3fe6a09e667f3bcd;  // sqrt(0.5)
  static constexpr bits upper_half = ~bits(0x7ffffff);                // of the mantissa: 26 bits
  static constexpr double round = 0x1.8p52;                           // x + round: to nearest
  static constexpr double split = 0x1p27 + 1;
  static constexpr double whole = 0x1p52;  // from here on there are no fractions
  static constexpr double normal = 0x1p-1022, scale = 0x1p54, scaled = 54;
};
template <>
struct format_of<float> {
  using bits = uint32_t;
  static constexpr int mantissa = 23;
  static constexpr bits bias = 127, root_half = 0x3f3504f3;
  static constexpr bits upper_half = ~bits(0xfff);
  static constexpr float round = 0x1.8p23f;
  static constexpr float split = 0x1p12f + 1;
  static constexpr float whole = 0x1p23f;
  static constexpr float normal = 0x1p-126f, scale = 0x1p25f, scaled = 25;
};
template <class T>
using bits_of = typename format_of<T>::bits;

template <class To, class From>
PYK_INLINE To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  std::memcpy(&y, &x, sizeof y);
  return y;
}

template <class T>
constexpr bits_of<T> sign_bit = bits_of<T>(1) << (8 * sizeof(T) - 1);
template <class T>
PYK_INLINE bits_of<T> sign_of(T x) {
  return bits_as<bits_of<T>>(x) & sign_bit<T>;
}
template <class T>
PYK_INLINE T magnitude(T x) {
  return bits_as<T>(bits_of<T>(bits_as<bits_of<T>>(x) & ~sign_bit<T>));
}
template <class T>
PYK_INLINE T flipped(T x, bits_of<T> sign) {
  return bits_as<T>(bits_of<T>(bits_as<bits_of<T>>(x) ^ sign));
}

// To the nearest whole number; |x| at most a quarter of format::round.
template <class T>
PYK_INLINE T nearest(T x) {
  return (x + format_of<T>::round) - format_of<T>::round;
}

// 2**n of a whole n in the format's range of exponents
template <class T>
PYK_INLINE T power_of_2(T n) {
  using format = format_of<T>;
  const auto low = bits_as<typename format::bits>(n + format::round);
  return bits_as<T>(typename format::bits((low + format::bias) << format::mantissa));
}

// p * 2**n where that may be subnormal, or infinite: p from 0.5 to 2, n whole, at most two below
// the exponent of the least subnormal number and two above that of the largest
template <class T>
PYK_INLINE T near_one_times_power_of_2(T p, T n) {
  using format = format_of<T>;
  constexpr int up = format::mantissa + 4;
  constexpr T lowest = T(up) - T(format::bias);
  const bool low = n < lowest;
  const T shifted = n + (low ? format::round + T(up) : format::round - T(1));
  const T back = low ? T(1) / T(bits_of<T>(1) << up) : T(2);
  using bits = typename format::bits;
  const bits exponent = bits_as<bits>(shifted) + format::bias;
  return p * bits_as<T>(bits(exponent << format::mantissa)) * back;
}

// x * 2**n, n up to twice that range: half of it at a time
template <class T>
PYK_INLINE T times_power_of_2(T x, T n) {
  const T half = nearest(n * T(0.5));
  return x * power_of_2(half) * power_of_2(n - half);
}

// A number of twice the precision: hi + lo, |lo| at most half a unit of hi.
template <class T>
struct twofold {
  T hi, lo;
};

template <class T>
PYK_INLINE twofold<T> two_sum(T a, T b) {
  const T sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
// |a| >= |b|, or a == 0
template <class T>
PYK_INLINE twofold<T> fast_two_sum(T a, T b) {
  const T sum = a + b;
  return {sum, (a - sum) + b};
}
template <class T>
PYK_INLINE twofold<T> two_product(T a, T b) {
  const T product = a * b;
  if constexpr (has_fma) {
    return {product, std::fma(a, b, -product)};
  } else {
    const T c = format_of<T>::split * a, d = format_of<T>::split * b;
    const T a1 = c - (c - a), b1 = d - (d - b), a2 = a - a1, b2 = b - b1;
    return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
  }
}
// a / b, the parts below too
template <class T>
PYK_INLINE T quotient(const twofold<T>& a, const twofold<T>& b) {
  if constexpr (has_fma) {
    const T inverse = T(1) / b.hi, q = a.hi * inverse;
    const T rest = multiply_add(-q, b.hi, a.hi) + multiply_add(-q, b.lo, a.lo);
    return multiply_add(rest, inverse, q);
  } else {
    const T q = a.hi / b.hi;
    return q + (a.lo - q * b.lo) / b.hi;
  }
}
// The part of x whose product with a number of as few digits is exact
template <class T>
PYK_INLINE T upper(T x) {
  return bits_as<T>(bits_of<T>(bits_as<bits_of<T>>(x) & format_of<T>::upper_half));
}

}  // namespace pyk::lanes::detail
