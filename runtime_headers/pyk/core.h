// Python's scalar arithmetic: wrapping integers, floor division, shifts, powers, conversions.
//
// Every function has a value for every argument (nothing is undefined, nothing raises; generated
// code tests for ZeroDivisionError before it divides). Mixed argument types compute in their common
// type. Integers wrap modulo 2**bits; x // 0 and x % 0 are 0; shifts beyond the width give 0 or the
// sign; float -> int truncates and saturates, NaN gives 0. Tested by
// tests/unit/runtime/core_test.cpp and tests/builtins/builtins.cases.
#pragma once

#include "pyk/choice.h"
#include "pyk/config.h"
#include "pyk/decimal.h"
#include "pyk/tuple.h"

namespace pyk {

// ---- conversions -------------------------------------------------------------------------------

namespace detail {

// What truncate() leaves: values out of To's range, NaN, and uint64 from 2**63 on.
template <class To, class F>
PYK_FN To saturate(F x) {
  constexpr F end = F(2) * F(To(1) << (digits_of<To> - 1));  // largest + 1
  if (x >= end) return largest<To>;
  if (!(x > F(0))) return x < F(0) ? lowest<To> : To(0);
  return static_cast<To>(x);
}

// Toward zero, saturating, NaN -> 0.
template <class To, class F>
PYK_FN To truncate(F x) {
#if defined(__CUDA_ARCH__)
  if (!(x == x)) return To(0);  // cvt.rzi saturates, but NaN gives 0 only in some widths
  if constexpr (sizeof(To) < 4) {
    constexpr int lo = lowest<To>, hi = largest<To>;
    const int wide = truncate<int>(x);
    return To(wide < lo ? lo : wide > hi ? hi : wide);
  } else {
    return static_cast<To>(x);
  }
#else
  // In range, as nearly always: one comparison or two, which NaN fails.
  using Wide = typename std::conditional<(digits_of<To> < 32), int32_t, int64_t>::type;
  constexpr F end = F(2) * F(Wide(1) << (digits_of<Wide> - 1));  // largest of Wide, + 1
  if (std::fabs(x) < end) {
    const Wide whole = static_cast<Wide>(x);
    const To result = static_cast<To>(whole);
    if (Wide(result) == whole && (is_signed<To> || whole >= 0)) return result;
  }
  return saturate<To>(x);
#endif
}

}  // namespace detail

// The value as To: float -> int as above, int -> int wraps, anything -> bool is `x != 0`.
template <class To, class From>
PYK_FN constexpr To convert(From x) {
  if constexpr (std::is_same<To, bool>::value) {
    return x != From(0);
  } else if constexpr (is_integer<To> && is_float<From>) {
    return detail::truncate<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

// bool(x); NaN is true.
template <class T, when<is_real<T>> = 0>
PYK_FN constexpr bool truth(T x) {
  return x != T(0);
}

// ---- + - * and negation ------------------------------------------------------------------------

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN constexpr common<A, B> add(A a, B b) {
  using T = common<A, B>;
  if constexpr (is_integer<T>) {
    return T(wrapping<T>(a) + wrapping<T>(b));
  } else {
    return T(a) + T(b);
  }
}

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN constexpr common<A, B> sub(A a, B b) {
  using T = common<A, B>;
  if constexpr (is_integer<T>) {
    return T(wrapping<T>(a) - wrapping<T>(b));
  } else {
    return T(a) - T(b);
  }
}

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN constexpr common<A, B> mul(A a, B b) {
  using T = common<A, B>;
  if constexpr (is_integer<T>) {
    return T(wrapping<T>(a) * wrapping<T>(b));
  } else {
    return T(a) * T(b);
  }
}

template <class T, when<is_real<T>> = 0>
PYK_FN constexpr T neg(T x) {
#if defined(__CUDA_ARCH__)
  // ptxas 13 takes neg.s16 for one that does not wrap: of 32 bits then, by bytes and the sign's.
  if constexpr (std::is_same<T, int16_t>::value)
    return T(__byte_perm(unsigned(-int(x)), 0u, 0x9910u));
#endif
  if constexpr (is_integer<T>) {
    return T(wrapping<T>(0) - wrapping<T>(x));
  } else {
    return -x;
  }
}

// x += e, x -= e and x *= e of integers that may overflow.
template <class T, class E>
PYK_FN constexpr void add_to(T& x, E e) {
  x = T(add(x, e));
}
template <class T, class E>
PYK_FN constexpr void sub_from(T& x, E e) {
  x = T(sub(x, e));
}
template <class T, class E>
PYK_FN constexpr void mul_by(T& x, E e) {
  x = T(mul(x, e));
}

// abs(INT64_MIN) wraps to itself.
template <class T, when<is_real<T>> = 0>
PYK_FN constexpr T abs(T x) {
  if constexpr (is_float<T>) {
    return std::fabs(x);
  } else if constexpr (is_signed<T>) {
    return x < T(0) ? neg(x) : x;
  } else {
    return x;
  }
}

// ---- division ----------------------------------------------------------------------------------

// a / b with the sign and value of C's fmod, quick when the quotient is small.
PYK_FN double fmod(double a, double b) {
#if defined(__FMA__) || defined(__CUDA_ARCH__)
  const double quotient = ::trunc(a / b);
  const double size = ::fabs(b);
  if (::fabs(quotient) < 0x1p53 && size > 0x1p-960 && size <= largest<double>) {
    double rest = ::fma(-quotient, b, a);  // exact
    if ((rest < 0) != (a < 0) && rest != 0) rest += a < 0 ? -size : size;
    return ::copysign(rest, a);
  }
#endif
  return ::fmod(a, b);
}
PYK_FN float fmod(float a, float b) {
  const double quotient = ::trunc(double(a) / double(b)), size = ::fabs(double(b));
  if (::fabs(quotient) < 0x1p29 && size <= double(largest<float>)) {
    double rest = double(a) - quotient * double(b);  // exact: 29 + 24 bits
    if ((rest < 0) != (a < 0) && rest != 0) rest += a < 0 ? -size : size;
    return ::copysignf(float(rest), a);
  }
  return ::fmodf(a, b);
}

// 0.0 - x. Where x is an integer that is converted there and then, GCC 12 takes that for -x, and so
// makes -0.0 of 0.
template <class F>
PYK_FN F zero_minus(F x) {
  return x == F(0) ? F(0) : -x;
}

// The result that it is, rounded, before anything is done with it. GCC 12 makes one operation of
// a * b - c and d * e + f side by side, which rounds once, whatever -ffp-contract says; and of a
// sum that only some iterations make one that the others add 0.0 to, -0.0 too.
template <class F>
PYK_FN constexpr F rounded(F result) {
#if defined(__has_builtin) && !defined(__clang__) && !defined(__CUDACC__) && \
    !defined(__ASSOCIATIVE_MATH__)
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(result);
#endif
#endif
  return result;
}

// A sum that is computed in the order of the source, a number after the other: of vectors of 512
// bits GCC would take the numbers out one by one, which takes twice as long as no vectors at all.
template <class F>
PYK_FN F in_order(F sum) {
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
  asm("" : "+x"(sum));
#endif
  return sum;
}

namespace detail {

// 1, 2, 4, … up to 2**32, known when the call is inlined: quotients by them are exact, and so is
// what is left.
template <class F>
PYK_FN bool is_constant_whole_power(F b) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return __builtin_constant_p(b) && b >= F(1) && b <= F(4294967296.0) && F(int64_t(b)) == b &&
         (int64_t(b) & (int64_t(b) - 1)) == 0;
#else
  return false;
#endif
}

// CPython's float_divmod: the remainder has the divisor's sign, the quotient is a whole number.
template <class F>
PYK_FN F float_mod(F a, F b) {
  if (is_constant_whole_power(b)) {
    const F rest = a - std::trunc(a * (F(1) / b)) * b;
    return rest < F(0) ? rest + b : rest;
  }
  F rest = pyk::fmod(a, b);
  if (rest != F(0)) {
    if ((b < F(0)) != (rest < F(0))) rest += b;
    return rest;
  }
  return std::copysign(F(0), b);
}

template <class F>
PYK_FN F float_floordiv(F a, F b) {
  if (b == F(0)) return a / b;
  if (is_constant_whole_power(b)) {
    const F whole = std::trunc(a * (F(1) / b)), rest = a - whole * b;
    const F below = rest < F(0) ? whole - F(1) : whole;
    return rest == rest ? below : rest;  // of an infinite a: NaN
  }
  const F rest = pyk::fmod(a, b);
  F quotient = (a - rest) / b;
  if (rest != F(0) && (b < F(0)) != (rest < F(0))) quotient -= F(1);
  if (quotient == F(0)) return std::copysign(F(0), a / b);
  const F whole = std::floor(quotient);
  return quotient - whole > F(0.5) ? whole + F(1) : whole;
}

// Known when the call is inlined: // and % round down, as shifts and masks do.
template <class T>
PYK_FN bool is_constant_power_of_2(T n) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return __builtin_constant_p(n) && n > 0 && (n & (n - 1)) == 0;
#else
  return false;
#endif
}
// Likewise: by the sign's bits // and % round down without a comparison, of which vectors have few.
template <class T>
PYK_FN bool is_constant_positive(T n) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return __builtin_constant_p(n) && n > 0;
#else
  return false;
#endif
}
template <class T>
PYK_FN T sign_bits(T x) {
  return T(x >> (sizeof(T) * 8 - 1));
}
// Processors divide 32 bits in half the time of 64 or less, and 64 without a sign a fifth faster
// than with one; and there is nothing to round down then.
template <class T>
PYK_FN bool is_worth_a_test(T divisor) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return sizeof(T) == 8 && !__builtin_constant_p(divisor);
#else
  return false;
#endif
}
template <class T>
PYK_FN bool fits_uint32(T a, T b) {
  return uint64_t(a | b) <= UINT32_MAX;
}
template <class T>
PYK_FN int log2_of(T power) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return __builtin_ctzll(uint64_t(power));
#else
  int log = 0;
  for (; power > 1; power = T(power >> 1)) ++log;
  return log;
#endif
}

}  // namespace detail

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN common<A, B> floordiv(A left, B right) {
  using T = common<A, B>;
  const T a = T(left), b = T(right);
  if constexpr (is_float<T>) {
    return detail::float_floordiv(a, b);
  } else if constexpr (!is_signed<T>) {
    if (b == 0) return 0;
    if (detail::is_worth_a_test(b) && detail::fits_uint32(a, b)) return uint32_t(a) / uint32_t(b);
    return T(a / b);
  } else {
    if (b == 0) return 0;
    if (detail::is_worth_a_test(b)) {
      if (detail::fits_uint32(a, b)) return uint32_t(a) / uint32_t(b);
      if ((a | b) >= 0) return T(uint64_t(a) / uint64_t(b));
    }
    if (b == -1) return neg(a);
    if (detail::is_constant_power_of_2(b)) return T(a >> detail::log2_of(b));
    if (detail::is_constant_positive(b)) {  // a < 0: ~(~a / b)
      using U = typename std::make_unsigned<T>::type;
      const T sign = detail::sign_bits(a);
      return T(T(U(a ^ sign) / U(b)) ^ sign);
    }
    const T quotient = T(a / b), rest = T(a % b);
    return T(quotient - (rest != 0 && (rest ^ b) < 0));
  }
}

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN common<A, B> mod(A left, B right) {
  using T = common<A, B>;
  const T a = T(left), b = T(right);
  if constexpr (is_float<T>) {
    return detail::float_mod(a, b);
  } else if constexpr (!is_signed<T>) {
    if (b == 0) return 0;
    if (detail::is_worth_a_test(b) && detail::fits_uint32(a, b)) return uint32_t(a) % uint32_t(b);
    return T(a % b);
  } else {
    if (b == 0) return 0;
    if (detail::is_worth_a_test(b)) {
      if (detail::fits_uint32(a, b)) return uint32_t(a) % uint32_t(b);
      if ((a | b) >= 0) return T(uint64_t(a) % uint64_t(b));
    }
    if (b == -1) return 0;
    if (detail::is_constant_power_of_2(b)) return T(a & (b - 1));
    const T rest = T(a % b);
    if (detail::is_constant_positive(b)) return T(rest + (b & detail::sign_bits(rest)));
    return T(rest + (rest != 0 && (rest ^ b) < 0 ? b : T(0)));
  }
}

template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN tuple<common<A, B>, common<A, B>> divmod(A a, B b) {
  return {floordiv(a, b), mod(a, b)};
}

// a / b of two numbers: integers divide as doubles.
template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN constexpr auto truediv(A a, B b) {
  using T = typename std::conditional<is_integer<common<A, B>>, double, common<A, B>>::type;
  return T(a) / T(b);
}

// ---- bits --------------------------------------------------------------------------------------

template <class A, class B, when<is_integer<A> && is_integer<B>> = 0>
PYK_FN constexpr A shl(A a, B count) {
  return uint64_t(count) < sizeof(A) * 8 ? A(wrapping<A>(a) << count) : A(0);
}
template <class A, class B, when<is_integer<A> && is_integer<B>> = 0>
PYK_FN constexpr A shr(A a, B count) {
  const bool inside = uint64_t(count) < sizeof(A) * 8;
  if constexpr (is_signed<A>) {
    return A(a >> (inside ? unsigned(count) : unsigned(sizeof(A) * 8 - 1)));
  } else {
    return inside ? A(a >> count) : A(0);
  }
}

// ---- powers ------------------------------------------------------------------------------------

namespace detail {

// Known to be `value` when the call is inlined.
template <class T>
PYK_FN constexpr bool is_constant(T x, T value) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  return __builtin_constant_p(x) && x == value;
#else
  return false;
#endif
}

// base where the last bit of n is set, else 1: by bits, of which no compiler makes a branch.
template <class T>
PYK_FN constexpr T factor_of(T base, uint64_t n) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  if constexpr (is_float<T>) {
    using U = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
    const T one = T(1);
    U from = 0, to = 0;
    __builtin_memcpy(&from, &one, sizeof from);
    __builtin_memcpy(&to, &base, sizeof to);
    from ^= (from ^ to) & (U(0) - U(n & 1));
    __builtin_memcpy(&base, &from, sizeof base);
    return base;
  }
#endif
  return n & 1 ? base : T(1);
}

// base ** n by squaring, multiplications in the order of Numba's.
template <class T>
PYK_FN constexpr T power_of(T base, uint64_t n) {
  T result = T(1);
  while (n != 0) {
    result = mul(result, factor_of(base, n));
    n >>= 1;
    if (n != 0) base = mul(base, base);
  }
  return result;
}

template <class T, class N>
PYK_FN constexpr T int_power(T base, N n) {
  if constexpr (is_signed<N>) {
    if (n < 0) {
      if (base == T(1)) return base;
      if (base == T(-1) && is_signed<T>) return n & 1 ? base : T(1);
      return base == T(0) ? lowest<T> : T(0);
    }
  }
  if (n == 2) return mul(base, base);
  if (is_constant(base, T(2))) return uint64_t(n) < sizeof(T) * 8 ? T(wrapping<T>(1) << n) : T(0);
  if (is_constant(base, T(-1)) && is_signed<T>) return n & 1 ? base : T(1);
  return power_of(base, uint64_t(n));
}

template <class F, class N>
PYK_FN F float_power(F base, N n) {
  if (n == N(2)) return base * base;
  if (is_constant(base, F(-1))) return n % 2 == 0 ? F(1) : F(-1);
  const bool invert = n < N(0);
  const uint64_t size = invert ? uint64_t(0) - uint64_t(n) : uint64_t(n);
  if (size > 0x10000) return F(std::pow(double(base), double(n)));  // F(n) may be even
  const F result = power_of(base, size);
  return invert ? F(1) / result : result;
}

// Constants that need no logarithm: LLVM, and with it Numba, computes these so.
template <class F>
PYK_FN F pow_of_floats(F base, F n) {
  if (is_constant(n, F(0.5))) return base == -infinity<F> ? infinity<F> : F(std::sqrt(base) + F(0));
  if (is_constant(n, F(1))) return base;
  if (is_constant(n, F(2))) return base * base;
  if (is_constant(n, F(-1))) return F(1) / base;
  if (is_constant(base, F(2))) return std::exp2(n);
  return std::pow(base, n);
}

}  // namespace detail

// base ** n. Integers: wrapping; a negative n gives 0 (base ±1: ±1; base 0: the least integer).
// Float base and integer n: by squaring, the float's type.
template <class A, class B, when<is_real<A> && is_real<B>> = 0>
PYK_FN auto pow(A base, B n) {
  if constexpr (is_float<A> && is_integer<B>) {
    return detail::float_power(base, n);
  } else if constexpr (is_integer<A> && is_integer<B>) {
    return detail::int_power(base, n);
  } else {
    using F = common<A, B>;
    return detail::pow_of_floats(F(base), F(n));
  }
}

// base ** N for a constant N: a product chain, as short as a person would write it.
template <int N, class T>
PYK_FN constexpr T pow(T base) {
  if constexpr (N < 0 && is_integer<T>) {
    return detail::int_power(base, N);
  } else if constexpr (N < 0) {
    return T(1) / pow<-N>(base);
  } else if constexpr (N == 0) {
    return T(1);
  } else if constexpr (N == 1) {
    return base;
  } else if constexpr (N % 2 == 0) {
    return pow<N / 2>(T(mul(base, base)));
  } else {
    return mul(base, pow<N / 2>(T(mul(base, base))));
  }
}

// ---- min, max, round ---------------------------------------------------------------------------

// Python's: the first wins unless a later one is less, so a NaN stays only where it comes first.
template <class A, class B>
PYK_FN constexpr common<A, B> min(A a, B b) {
  using T = common<A, B>;
  return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B>
PYK_FN constexpr common<A, B> max(A a, B b) {
  using T = common<A, B>;
  return T(b) > T(a) ? T(b) : T(a);
}
template <class A, class B, class... Rest, when<sizeof...(Rest) != 0> = 0>
PYK_FN constexpr common<A, B, Rest...> min(A a, B b, Rest... rest) {
  return min(min(a, b), rest...);
}
template <class A, class B, class... Rest, when<sizeof...(Rest) != 0> = 0>
PYK_FN constexpr common<A, B, Rest...> max(A a, B b, Rest... rest) {
  return max(max(a, b), rest...);
}

// round(x): the nearest integer, ties to even.
template <class T, when<is_real<T>> = 0>
PYK_FN auto round(T x) {
  if constexpr (is_float<T>) {
    return convert<int64_t>(std::rint(x));
  } else {
    return x;
  }
}

// round(x, digits): CPython's value, the double nearest to the decimal.
template <class T, when<is_real<T>> = 0>
PYK_FN T round(T x, int64_t digits) {
  if constexpr (is_float<T>) {
    return T(detail::round_digits(double(x), digits));
  } else if (digits >= 0) {
    return x;
  } else {
    using Wide = typename std::conditional<is_signed<T>, int64_t, uint64_t>::type;
    if (digits < (is_signed<T> ? -18 : -19)) return T(0);
    Wide unit = 1;
    for (int64_t i = digits; i < 0; ++i) unit *= 10;
    const Wide low = mul(floordiv(Wide(x), unit), unit), rest = sub(Wide(x), low);
    const Wide other = sub(unit, rest);
    const bool up = rest > other || (rest == other && mod(floordiv(Wide(x), unit), Wide(2)) != 0);
    return T(up ? add(low, unit) : low);
  }
}

}  // namespace pyk
