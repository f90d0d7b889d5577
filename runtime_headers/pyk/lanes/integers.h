// Integers in lanes: division, conversions to floats and back, as pyk::floordiv, mod and convert.
//
//   pyk::lanes::floordiv(a, b), mod(a, b)      integers of at most 32 bits, without a branch
//   pyk::lanes::floordiv(a, b, y)              y[k] = a[k] // b[k] of int64 or uint64, all lanes at
//                                              once; one of a and b may be one number for all
//   pyk::lanes::powers(a, n, y)                y[k] = a[k] ** n[k] of floats by integers, likewise
//   pyk::lanes::is_odd(x)
//   pyk::lanes::convert<To>(x)                 any real number
//
// Neither x86-64 nor NEON divides integers in vectors; before AVX-512 x86-64 converts no int64.
// Up to 2**51 the bits of x + 1.5 * 2**52 are those of 1.5 * 2**52, plus x; the quotient of two
// such integers, divided as floats and rounded down, is exact. Division by 0 gives 0. Tested by
// tests/unit/runtime/integers_test.cpp.
#pragma once

#include "pyk/core.h"
#include "pyk/lanes/bits.h"
#include "pyk/lanes/lane.h"

namespace pyk::lanes {

namespace detail {

#if defined(__AVX512DQ__)
constexpr bool has_wide_integers = true;  // vectors multiply and convert 64 bits
#else
constexpr bool has_wide_integers = false;
#endif
#if defined(__AVX512DQ__) || !defined(__x86_64__)
constexpr bool converts_wide_integers = true;
#else
constexpr bool converts_wide_integers = false;
#endif

constexpr double shift_point = format_of<double>::round;  // 1.5 * 2**52
constexpr uint64_t shift_bits = 0x4338000000000000u;      // its bits

// |x| at most 2**51
PYK_INLINE double small_to_double(int64_t x) {
  return bits_as<double>(uint64_t(x) + shift_bits) - shift_point;
}
// A whole number, |x| at most 2**51
PYK_INLINE int64_t whole_to_int(double x) {
  return int64_t(bits_as<uint64_t>(x + shift_point) - shift_bits);
}

// x, rounded once: the two halves are exact, each as the low bits of a power of two.
template <class T>
PYK_INLINE double wide_to_double(T x) {
  if constexpr (converts_wide_integers) {
    return static_cast<double>(x);
  } else {
    const uint64_t bits = uint64_t(x) ^ (is_signed<T> ? uint64_t(1) << 63 : 0);
    const double high = bits_as<double>(bits >> 32 | 0x4530000000000000u);           // 2**84 + …
    const double low = bits_as<double>((bits & 0xffffffffu) | 0x4330000000000000u);  // 2**52 + …
    constexpr double offset = 0x1p84 + 0x1p52 + (is_signed<T> ? 0x1p63 : 0);
    return (high - offset) + low;
  }
}
// Beyond 2**53 what is cut off leaves a bit, so that nothing is rounded twice.
template <class T>
PYK_INLINE float wide_to_float(T x) {
  if constexpr (converts_wide_integers) {
    return static_cast<float>(x);
  } else {
    const uint64_t bits = uint64_t(x), cut = bits & 0xfff;
    const uint64_t sticky = (bits & ~uint64_t(0xfff)) | (((cut + 0xfff) >> 12) << 11);
    const double exact = wide_to_double(T(sticky)), all = wide_to_double(x);
    return static_cast<float>(magnitude(all) < 0x1p53 ? all : exact);
  }
}

// Toward zero, saturating, NaN -> 0
template <class T, class F>
PYK_INLINE T to_wide(F x) {
  constexpr double end = is_signed<T> ? 0x1p63 : 0x1p64, least = is_signed<T> ? -0x1p63 : 0;
#if defined(__AVX512DQ__) && defined(__GNUC__) && !defined(__clang__)
  // GCC leaves to the instruction what is out of range: the least int64 of it, whatever it is.
  if constexpr (is_signed<T>) {
    const T whole = static_cast<T>(x), within = x >= F(end) ? largest<T> : whole;
    return x == x ? within : 0;
  }
#endif
  double y = x == x ? double(x) : 0.0;
  y = y < least ? least : y;
  const bool over = y >= end;
  y = over ? 0.0 : y;
  T whole;
  if constexpr (converts_wide_integers) {
    whole = static_cast<T>(y);
  } else {
    y = std::trunc(y);
    const double high = std::floor(y * 0x1p-32), low = y - high * 0x1p32;
    whole = T((uint64_t(whole_to_int(high)) << 32) + uint64_t(whole_to_int(low)));
  }
  return over ? largest<T> : whole;
}

// The bits of 1.5 * 2**52 + x end in those of x, modulo 2**32.
template <class T>
PYK_INLINE T whole_to_narrow(double x) {
  return T(bits_as<uint64_t>(x + shift_point));
}

template <class T>
PYK_INLINE T narrow_quotient(double a, double b) {
  return whole_to_narrow<T>(b == 0.0 ? 0.0 : std::floor(a / b));
}
template <class T>
PYK_INLINE T narrow_rest(double a, double b) {
  return whole_to_narrow<T>(b == 0.0 ? 0.0 : a - std::floor(a / b) * b);
}

}  // namespace detail

template <class A, class B, class T = common<A, B>, when<is_integer<T> && sizeof(T) <= 4> = 0>
PYK_FN T floordiv(A a, B b) {
  return detail::narrow_quotient<T>(double(T(a)), double(T(b)));
}
template <class A, class B, class T = common<A, B>, when<is_integer<T> && sizeof(T) <= 4> = 0>
PYK_FN T mod(A a, B b) {
  return detail::narrow_rest<T>(double(T(a)), double(T(b)));
}

namespace detail {

// One of an operand for lane k
template <class T, int W>
PYK_INLINE T at(const lane<T, W>& x, int k) {
  return x[k];
}
template <class T>
PYK_INLINE T at(T x, int) {
  return x;
}

// Not 0 where |x| > 2**bits
template <int bits, class T>
PYK_INLINE uint64_t beyond(T x) {
  return is_signed<T> ? (uint64_t(x) + (uint64_t(1) << bits)) >> (bits + 1) : uint64_t(x) >> bits;
}
template <int bits, int W, class A, class B>
PYK_INLINE bool any_beyond(const A& a, const B& b) {
  uint64_t over = 0;
#pragma omp simd reduction(| : over)
  for (int k = 0; k < W; ++k) over |= beyond<bits>(at(a, k)) | beyond<bits>(at(b, k));
  return over != 0;
}

struct division {
  int64_t quotient, rest;
};

// |a|, |b| <= 2**62. The first quotient is rounded three times: of what it leaves, some thousands
// at the most beside b, the second is exact or next to it.
PYK_INLINE division wide_division(int64_t dividend, int64_t divisor) {
  const int64_t sign = divisor < 0 ? -1 : 0, a = (dividend ^ sign) - sign;
  const int64_t positive = (divisor ^ sign) - sign, b = positive == 0 ? 1 : positive;
  const double of_b = wide_to_double(b);
  const int64_t first = to_wide<int64_t>(wide_to_double(a) / of_b);
  int64_t rest = int64_t(uint64_t(a) - uint64_t(first) * uint64_t(b));
  const int64_t second = whole_to_int(std::floor(wide_to_double(rest) / of_b));
  rest = int64_t(uint64_t(rest) - uint64_t(second) * uint64_t(b));
  int64_t quotient = first + second;
  const bool less = rest < 0;
  rest = less ? rest + b : rest;
  quotient = less ? quotient - 1 : quotient;
  const bool more = rest >= b;
  rest = more ? rest - b : rest;
  quotient = more ? quotient + 1 : quotient;
  const bool none = positive == 0;
  return {none ? 0 : quotient, none ? 0 : (rest ^ sign) - sign};
}

}  // namespace detail

#define PYK_DIVISION(name, small, part)                                         \
  template <class T, int W, class A, class B>                                   \
  PYK_FN void name(const A& a, const B& b, lane<T, W>& y) {                     \
    using detail::at;                                                           \
    if (!detail::any_beyond<51, W>(a, b)) {                                     \
      _Pragma("omp simd") for (int k = 0; k < W; ++k) {                         \
        const double of_a = detail::small_to_double(int64_t(at(a, k)));         \
        const double of_b = detail::small_to_double(int64_t(at(b, k)));         \
        y[k] = T(detail::whole_to_int(of_b == 0.0 ? 0.0 : small));              \
      }                                                                         \
    } else if (detail::has_wide_integers && !detail::any_beyond<62, W>(a, b)) { \
      _Pragma("omp simd") for (int k = 0; k < W; ++k) y[k] =                    \
          T(detail::wide_division(int64_t(at(a, k)), int64_t(at(b, k))).part);  \
    } else {                                                                    \
      for (int k = 0; k < W; ++k) y[k] = pyk::name(T(at(a, k)), T(at(b, k)));   \
    }                                                                           \
  }
PYK_DIVISION(floordiv, std::floor(of_a / of_b), quotient)
PYK_DIVISION(mod, of_a - std::floor(of_a / of_b) * of_b, rest)
#undef PYK_DIVISION

namespace detail {

constexpr uint64_t most_squared = 0x10000;  // of pyk::pow: beyond it is libm's

// |n|
template <class N>
PYK_INLINE uint64_t size_of(N n) {
  return n < N(0) ? uint64_t(0) - uint64_t(n) : uint64_t(n);
}

// By squaring, the products of pyk::pow in its order. One exponent for all lanes:
template <class A, class N, class F, int W>
PYK_INLINE void squared(const A& a, N n, lane<F, W>& y) {
  lane<F, W> base;
#pragma omp simd
  for (int k = 0; k < W; ++k) {
    base[k] = at(a, k);
    y[k] = F(1);
  }
  for (uint64_t left = size_of(n); left != 0; left >>= 1) {
    if (left & 1) {
#pragma omp simd
      for (int k = 0; k < W; ++k) y[k] *= base[k];
    }
#pragma omp simd
    for (int k = 0; k < W; ++k) base[k] *= base[k];
  }
  if (n < N(0)) {
#pragma omp simd
    for (int k = 0; k < W; ++k) y[k] = F(1) / y[k];
  }
}
// One for each:
template <class A, class N, class F, int W>
PYK_INLINE void squared(const A& a, const lane<N, W>& n, lane<F, W>& y) {
  using Bits = bits_of<F>;
  lane<F, W> base;
  lane<Bits, W> left;
  Bits most = 0;
#pragma omp simd reduction(| : most)
  for (int k = 0; k < W; ++k) {
    base[k] = at(a, k);
    y[k] = F(1);
    left[k] = Bits(size_of(n[k]));
    most |= left[k];
  }
  for (; most != 0; most >>= 1) {
#pragma omp simd
    for (int k = 0; k < W; ++k) {
      y[k] *= left[k] & 1 ? base[k] : F(1);
      base[k] *= base[k];
      left[k] >>= 1;
    }
  }
#pragma omp simd
  for (int k = 0; k < W; ++k) y[k] = n[k] < N(0) ? F(1) / y[k] : y[k];
}

}  // namespace detail

template <class A, class B, class F, int W>
PYK_FN void powers(const A& a, const B& n, lane<F, W>& y) {
  using detail::at;
  uint64_t most = 0;
#pragma omp simd reduction(| : most)
  for (int k = 0; k < W; ++k) most |= detail::size_of(at(n, k));
  if (most < detail::most_squared)
    detail::squared(a, n, y);
  else
    for (int k = 0; k < W; ++k) y[k] = pyk::pow(F(at(a, k)), at(n, k));
}

// Of two bits: a comparison of one is a conversion to g++ 12, for which it has no vectors.
template <class T>
PYK_FN bool is_odd(T x) {
  const auto low = wrapping<T>(x) & 3;
  return (low == 1) | (low == 3);
}

// Toward zero, saturating, NaN -> 0, as pyk::convert, without a branch.
template <class To, class From>
PYK_FN To convert(From x) {
  if constexpr (!is_float<From>) {
    static_assert(is_float<To>);
    if constexpr (sizeof(From) < 8)
      return static_cast<To>(x);
    else if constexpr (sizeof(To) == 8)
      return detail::wide_to_double(x);
    else
      return detail::wide_to_float(x);
  } else if constexpr (sizeof(To) == 8) {
    return detail::to_wide<To>(x);
  } else if constexpr (digits_of<To> > digits_of<From>) {
    return convert<To>(double(x));
  } else {
    // Both ask x: of what one has chosen C++ compilers make ways, and no vectors of the other.
    const From above = x > From(lowest<To>) ? x : From(lowest<To>);
    const From within = x > From(largest<To>) ? From(largest<To>) : above;
    return static_cast<To>(is_signed<To> && !(x == x) ? From(0) : within);  // of no sign: 0 of NaN
  }
}

}  // namespace pyk::lanes
