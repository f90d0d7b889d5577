// What loops that run in the lanes of vector registers call.
//
//   pyk::lanes::exp(x), pyk::lanes::log(x)        float or double, no branch, no table, no call
//   pyk::lanes::convert<uint8_t>(x)               float -> integer
//   M::exp(x)                                     M is pyk::libm or pyk::lane_math
//   pyk::lanes::disjoint(stored, a, b)            no element of `stored` lies in a or b
//
// Accuracy: exp 1.1 ULP, log 0.9 ULP (float 1.1 and 0.9); special values as in C99. Where libm is
// called outside such loops, the last bit may differ. Not for -fassociative-math.
// Coefficients: minimax, by Remez exchange. Tested by tests/run/test_lanes.py.
#pragma once

#include <cstring>

#include "pyk/array.h"
#include "pyk/core.h"
#include "pyk/lanes/lane.h"

namespace pyk::lanes {

namespace detail {

template <class T>
PYK_FN T multiply_add(T a, T b, T c) {
#if defined(__FMA__) || defined(__aarch64__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

// c[0] + c[1]*x + c[2]*x**2 + …, pairs first (Estrin): short chains of dependences, no loop
template <class T>
PYK_FN T polynomial(T, T c0) {
  return c0;
}
template <class T, size_t... K, size_t N>
PYK_FN T polynomial_of_pairs(T x, const T (&c)[N], std::index_sequence<K...>);
template <class T, class... Rest>
PYK_FN T polynomial(T x, T c0, T c1, Rest... rest) {
  constexpr size_t count = 2 + sizeof...(rest);
  const T c[count + count % 2] = {c0, c1, rest...};
  return polynomial_of_pairs(x, c, std::make_index_sequence<(count + 1) / 2>());
}
template <class T, size_t... K, size_t N>
PYK_FN T polynomial_of_pairs(T x, const T (&c)[N], std::index_sequence<K...>) {
  return polynomial(x * x, multiply_add(c[2 * K + 1], x, c[2 * K])...);
}

template <class T>
struct format_of;
template <>
struct format_of<double> {
  using bits = uint64_t;
  static constexpr int mantissa = 52;
  static constexpr bits bias = 1023, root_half = 0x3fe6a09e667f3bcd;  // sqrt(0.5)
  static constexpr double round = 0x1.8p52;                           // x + round: to nearest
  static constexpr double least = -746, most = 710;                   // exp: 0 and inf beyond
  // ln(2) in two parts: multiples of the first by an exponent are exact
  static constexpr double ln2 = 6.93147180369123816490e-01, ln2_rest = 1.90821492927058770002e-10;
  static constexpr double normal = 0x1p-1022, scale = 0x1p54, scaled = 54;
  // exp(r) = 1 + r + r*r * exp(r), |r| <= ln(2) / 2
  static double exp(double r) {
    return polynomial(r, 0.50000000000000106, 0.16666666666666697, 0.041666666666529644,
                      0.0083333333333085500, 0.0013888888943882202, 0.00019841269914989753,
                      2.4801492751101646e-5, 2.7557218105125571e-6, 2.7630395713879933e-7,
                      2.5117369823885330e-8);
  }
  // log((1 + s) / (1 - s)) = 2*s + s * z * log(z), z = s*s, |s| <= 3 - 2*sqrt(2)
  static double log(double z) {
    return polynomial(z, 0.66666666666667117, 0.39999999999538289, 0.28571428718521490,
                      0.22222200767904206, 0.18183460011062371, 0.15316526008257145,
                      0.14772737513608325);
  }
};
template <>
struct format_of<float> {
  using bits = uint32_t;
  static constexpr int mantissa = 23;
  static constexpr bits bias = 127, root_half = 0x3f3504f3;
  static constexpr float round = 0x1.8p23f;
  static constexpr float least = -104, most = 89;
  static constexpr float ln2 = 0.693145752f, ln2_rest = 1.42860677e-6f;
  static constexpr float normal = 0x1p-126f, scale = 0x1p25f, scaled = 25;
  static float exp(float r) {
    return polynomial(r, 0.50000001f, 0.16666521f, 0.041666212f, 0.0083687931f, 0.0013950237f);
  }
  static float log(float z) { return polynomial(z, 0.66666770f, 0.39978186f, 0.29857128f); }
};

template <class To, class From>
PYK_FN To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  std::memcpy(&y, &x, sizeof y);
  return y;
}

// 2**n of a whole n in the format's range of exponents
template <class T>
PYK_FN T power_of_2(T n) {
  using format = format_of<T>;
  const auto low = bits_as<typename format::bits>(n + format::round);
  return bits_as<T>(typename format::bits((low + format::bias) << format::mantissa));
}

}  // namespace detail

template <class T>
PYK_FN T exp(T x) {
  using format = detail::format_of<T>;
  T y = x < format::least ? format::least : x;
  y = y > format::most ? format::most : y;
  constexpr T log2_e = T(1.4426950408889634);
  const T n = detail::multiply_add(y, log2_e, format::round) - format::round;
  T r = detail::multiply_add(n, -format::ln2, y);
  r = detail::multiply_add(n, -format::ln2_rest, r);
  const T p = detail::multiply_add(r * r, format::exp(r), r) + T(1);
  // 2**n may be out of range where the result is not: half of it at a time
  const T half = (n * T(0.5) + format::round) - format::round;
  return p * detail::power_of_2(half) * detail::power_of_2(n - half);
}

template <class T>
PYK_FN T log(T x) {
  using format = detail::format_of<T>;
  using bits = typename format::bits;
  constexpr bits one = format::bias << format::mantissa;
  constexpr T shifted = T(bits(1) << format::mantissa);  // bits_as<T>(k | its bits) = k + shifted
  // x = 2**k * m, sqrt(0.5) <= m < sqrt(2)
  const bool tiny = x < format::normal;
  const bits b = detail::bits_as<bits>(tiny ? x * format::scale : x) + (one - format::root_half);
  const bits biased = (b >> format::mantissa) | detail::bits_as<bits>(shifted);
  const T k =
      detail::bits_as<T>(biased) - (shifted + T(format::bias)) - (tiny ? format::scaled : T(0));
  constexpr bits fraction = (bits(1) << format::mantissa) - 1;
  const T m = detail::bits_as<T>(bits((b & fraction) + format::root_half));
  const T f = m - T(1), s = f / (m + T(1)), z = s * s, square = T(0.5) * f * f;
  const T rest = z * format::log(z);
  const T low = detail::multiply_add(s, square + rest, k * format::ln2_rest);
  const T y = k * format::ln2 - ((square - low) - f);
  const T finite = x == infinity<T> ? x : y;
  const T special = x == T(0) ? -infinity<T> : not_a_number<T>;
  return x > T(0) ? finite : special;
}

// Toward zero, saturating, NaN -> 0, as pyk::convert, without a branch; To has at most 32 bits.
template <class To, class F>
PYK_FN To convert(F x) {
  static_assert(sizeof(To) <= 4);
  if constexpr (digits_of<To> > digits_of<F>) {
    return convert<To>(double(x));
  } else {
    F y = x == x ? x : F(0);
    y = y < F(lowest<To>) ? F(lowest<To>) : y;
    return static_cast<To>(y > F(largest<To>) ? F(largest<To>) : y);
  }
}

namespace detail {

struct span_of {
  const char *first, *last;
};

template <class T, int N, class L>
PYK_FN span_of memory_of(const array<T, N, L>& a) {
  const char *first = reinterpret_cast<const char*>(a.data), *last = first;
  bool empty = false;
  for (int k = 0; k < N; ++k) {
    const int64_t reach = (a.shape(k) - 1) * a.stride(k);
    (reach < 0 ? first : last) += reach;
    empty = empty || a.shape(k) == 0;
  }
  return empty ? span_of{nullptr, nullptr} : span_of{first, last + sizeof(T)};
}

}  // namespace detail

// Conservative: two views that interleave in one buffer count as overlapping.
template <class A, class... Others>
PYK_FN bool disjoint(const A& stored, const Others&... others) {
  const detail::span_of own = detail::memory_of(stored);
  const auto apart = [&](const detail::span_of& other) {
    return own.last <= other.first || other.last <= own.first;
  };
  return (apart(detail::memory_of(others)) && ...);
}

}  // namespace pyk::lanes

namespace pyk {

// The two forms of what has one in lanes: arguments of functions whose text serves both.
struct libm {
  template <class T>
  PYK_INLINE T exp(T x) {
    return std::exp(x);
  }
  template <class T>
  PYK_INLINE T log(T x) {
    return std::log(x);
  }
  template <class To, class F>
  PYK_INLINE To convert(F x) {
    return pyk::convert<To>(x);
  }
};
struct lane_math {
  template <class T>
  PYK_INLINE T exp(T x) {
    return lanes::exp(x);
  }
  template <class T>
  PYK_INLINE T log(T x) {
    return lanes::log(x);
  }
  template <class To, class F>
  PYK_INLINE To convert(F x) {
    return lanes::convert<To>(x);
  }
};

}  // namespace pyk
