// Python's math module as scalar functions: pyk::math::sqrt(x).
//
// float stays float; every other argument computes in double. Nothing raises: domain errors give
// nan, overflow inf (CPython's ValueError and OverflowError have no counterpart in compiled code).
// Functions of libm inline to the compiler's builtins, so that loops over them vectorise.
// Tested by tests/builtins/math.cases.
#pragma once

#include "pyk/core.h"

namespace pyk::math {

constexpr double pi = 3.141592653589793238462643383279502884;
constexpr double e = 2.718281828459045235360287471352662498;
constexpr double tau = 6.283185307179586476925286766559005768;
constexpr double inf = infinity<double>;
constexpr double nan = not_a_number<double>;

template <class... Ts>
using floating_common =
    typename std::conditional<std::is_same<common<Ts...>, float>::value, float, double>::type;

// name(x) = std::name(x) in float or double
#define PYK_UNARY(name)               \
  template <class T>                  \
  PYK_FN floating<T> name(T x) {      \
    return std::name(floating<T>(x)); \
  }
#define PYK_BINARY(name)                        \
  template <class A, class B>                   \
  PYK_FN floating_common<A, B> name(A a, B b) { \
    using F = floating_common<A, B>;            \
    return std::name(F(a), F(b));               \
  }

PYK_UNARY(acos)
PYK_UNARY(acosh)
PYK_UNARY(asin)
PYK_UNARY(asinh)
PYK_UNARY(atan)
PYK_UNARY(atanh)
PYK_UNARY(cbrt)
PYK_UNARY(cos)
PYK_UNARY(cosh)
PYK_UNARY(erf)
PYK_UNARY(erfc)
PYK_UNARY(exp)
PYK_UNARY(exp2)
PYK_UNARY(expm1)
PYK_UNARY(fabs)
PYK_UNARY(log10)
PYK_UNARY(log1p)
PYK_UNARY(log2)
PYK_UNARY(sin)
PYK_UNARY(sinh)
PYK_UNARY(sqrt)
PYK_UNARY(tan)
PYK_UNARY(tanh)

PYK_BINARY(atan2)
PYK_BINARY(copysign)
PYK_BINARY(hypot)
PYK_BINARY(nextafter)
PYK_BINARY(remainder)

#undef PYK_UNARY
#undef PYK_BINARY

template <class T>
PYK_FN bool isnan(T x) {
  return x != x;
}
template <class T>
PYK_FN bool isinf(T x) {
  return std::fabs(floating<T>(x)) == infinity<floating<T>>;
}
template <class T>
PYK_FN bool isfinite(T x) {
  return std::fabs(floating<T>(x)) <= largest<floating<T>>;
}

// ---- to whole numbers: int64 by default, as Python; floor<float>(x) keeps the float type
// ---------

template <class R = int64_t, class T>
PYK_FN auto floor(T x) {
  if constexpr (is_float<R>) {
    return std::floor(R(x));
  } else if constexpr (is_float<T>) {
#if defined(__SSE2__) && !defined(__SSE4_1__)  // where std::floor would be a call
    const R whole = convert<R>(x);
    return R(whole > lowest<R> && T(whole) > x ? whole - 1 : whole);
#else
    return convert<R>(std::floor(x));
#endif
  } else {
    return x;
  }
}
template <class R = int64_t, class T>
PYK_FN auto ceil(T x) {
  if constexpr (is_float<R>) {
    return std::ceil(R(x));
  } else if constexpr (is_float<T>) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
    const R whole = convert<R>(x);
    return R(whole < largest<R> && T(whole) < x ? whole + 1 : whole);
#else
    return convert<R>(std::ceil(x));
#endif
  } else {
    return x;
  }
}
template <class R = int64_t, class T>
PYK_FN auto trunc(T x) {
  if constexpr (is_float<R>) {
    return std::trunc(R(x));
  } else {
    return convert<R>(x);
  }
}

// ---- logarithms, powers, gamma -----------------------------------------------------------------

template <class T>
PYK_FN floating<T> log(T x) {
  return std::log(floating<T>(x));
}
template <class A, class B>
PYK_FN floating_common<A, B> log(A x, B base) {
  using F = floating_common<A, B>;
  return std::log(F(x)) / std::log(F(base));
}

// C's pow; a float with an integer exponent multiplies.
template <class A, class B>
PYK_FN auto pow(A base, B exponent) {
  if constexpr (std::is_same<A, float>::value && is_integer<B>) {
    return pyk::pow(base, exponent);
  } else {
    using F = floating_common<A, B>;
    return pyk::detail::pow_of_floats(F(base), F(exponent));
  }
}

template <class T>
PYK_FN floating<T> gamma(T x) {
  if (floating<T>(x) == -infinity<floating<T>>) return not_a_number<floating<T>>;
  return std::tgamma(floating<T>(x));
}
template <class T>
PYK_FN floating<T> lgamma(T x) {
#if defined(__GLIBC__) && !defined(__CUDA_ARCH__)
  int sign;  // lgamma itself writes the global signgam: a data race
  if constexpr (std::is_same<T, float>::value) {
    return ::lgammaf_r(x, &sign);
  } else {
    return ::lgamma_r(double(x), &sign);
  }
#else
  return std::lgamma(floating<T>(x));
#endif
}

// ---- parts, steps, angles ----------------------------------------------------------------------

template <class A, class B>
PYK_FN floating_common<A, B> fmod(A a, B b) {
  using F = floating_common<A, B>;
  return pyk::fmod(F(a), F(b));
}

// (fraction, whole part), both with the sign of x
template <class T>
PYK_FN tuple<floating<T>, floating<T>> modf(T value) {
  using F = floating<T>;
  const F x = F(value), whole = std::trunc(x);
  const F fraction = isinf(x) ? F(0) : x - whole;
  return {std::copysign(fraction, x), whole};
}

template <class T>
PYK_FN tuple<floating<T>, int32_t> frexp(T value) {
  const floating<T> x = floating<T>(value);
  int exponent = 0;
  if (!isfinite(x)) return {x, 0};
  const auto mantissa = std::frexp(x, &exponent);
  return {mantissa, int32_t(exponent)};
}

template <class T>
PYK_FN floating<T> ldexp(T x, int64_t exponent) {
  const int64_t clamped = exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : exponent;
  return std::ldexp(floating<T>(x), int(clamped));
}

template <class T>
PYK_FN floating<T> ulp(T value) {
  using F = floating<T>;
  const F x = std::fabs(F(value));
  if (!isfinite(x)) return x;
  const F next = std::nextafter(x, infinity<F>);
  return isinf(next) ? x - std::nextafter(x, F(0)) : next - x;
}

template <class T>
PYK_FN floating<T> degrees(T x) {
  return rounded(floating<T>(x) * floating<T>(180 / pi));
}
template <class T>
PYK_FN floating<T> radians(T x) {
  return rounded(floating<T>(x) * floating<T>(pi / 180));
}

template <class A, class B, class C>
PYK_FN floating_common<A, B, C> fma(A a, B b, C c) {
  using F = floating_common<A, B, C>;
  return std::fma(F(a), F(b), F(c));
}

template <class A, class B, class C>
PYK_FN floating_common<A, B, C> hypot(A a, B b, C c) {
  return hypot(hypot(a, b), c);
}

template <class A, class B>
PYK_FN bool isclose(A left, B right, double relative = 1e-9, double absolute = 0) {
  const double a = double(left), b = double(right);
  if (a == b) return true;
  if (isinf(a) || isinf(b)) return false;
  const double difference = std::fabs(b - a);
  return difference <= std::fabs(relative * b) || difference <= std::fabs(relative * a) ||
         difference <= absolute;
}

// ---- whole numbers -----------------------------------------------------------------------------

namespace detail {

PYK_FN int trailing_zeros(uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(x)) - 1;
#elif defined(__GNUC__) || defined(__clang__)
  return __builtin_ctzll(x);
#else
  int n = 0;
  for (; (x & 1) == 0; x >>= 1) ++n;
  return n;
#endif
}

// Stein's algorithm: shifts and subtractions, several times quicker than division.
PYK_FN uint64_t binary_gcd(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  const int shift = trailing_zeros(a | b);
  a >>= trailing_zeros(a);
  while (b != 0) {
    b >>= trailing_zeros(b);
    const uint64_t less = a < b ? a : b;
    b = a < b ? b - a : a - b;
    a = less;
  }
  return a << shift;
}

}  // namespace detail

template <class A, class B>
PYK_FN constexpr common<A, B> gcd(A a, B b) {
  using T = common<A, B>;
  return T(detail::binary_gcd(uint64_t(pyk::abs(T(a))), uint64_t(pyk::abs(T(b)))));
}
template <class A, class B, class... Rest>
PYK_FN constexpr common<A, B, Rest...> gcd(A a, B b, Rest... rest) {
  return gcd(gcd(a, b), rest...);
}
template <class A>
PYK_FN constexpr A gcd(A a) {
  return pyk::abs(a);
}

template <class A, class B>
PYK_FN constexpr common<A, B> lcm(A left, B right) {
  using T = common<A, B>;
  const T a = T(left), b = T(right), divisor = gcd(a, b);
  return divisor == 0 ? T(0) : pyk::abs(pyk::mul(T(a / divisor), b));
}
template <class A, class B, class... Rest>
PYK_FN constexpr common<A, B, Rest...> lcm(A a, B b, Rest... rest) {
  return lcm(lcm(a, b), rest...);
}
template <class A>
PYK_FN constexpr A lcm(A a) {
  return pyk::abs(a);
}

// The floor of the square root; 0 of negative numbers.
template <class T>
PYK_FN T isqrt(T n) {
  if (n <= T(0)) return 0;
  const double estimate = std::sqrt(double(n));
  uint64_t root = estimate >= 4294967295.0 ? 4294967295u : uint64_t(estimate);
  while (root * root > uint64_t(n)) --root;
  while (root < 4294967295u && (root + 1) * (root + 1) <= uint64_t(n)) ++root;
  return T(root);
}

// Wraps modulo 2**64 from 21! on; 0 of negative numbers.
PYK_FN int64_t factorial(int64_t n) {
  if (n < 0 || n > 65) return 0;  // 2**64 divides 66!
  int64_t result = 1;
  for (int64_t i = 2; i <= n; ++i) result = mul(result, i);
  return result;
}

// n * (n - 1) * … of k factors, wrapping.
PYK_FN int64_t perm(int64_t n, int64_t k) {
  if (n < 0 || k < 0 || k > n || k > 130) return 0;  // 2**64 divides 130 consecutive numbers
  int64_t result = 1;
  for (int64_t i = 0; i < k; ++i) result = mul(result, n - i);
  return result;
}
PYK_FN int64_t perm(int64_t n) { return factorial(n); }

// n over k; exact where it fits int64, the greatest int64 where k shows that it cannot.
PYK_FN int64_t comb(int64_t n, int64_t k) {
  if (n < 0 || k < 0 || k > n) return 0;
  if (k > n - k) k = n - k;
  if (k > 33) return largest<int64_t>;
  int64_t result = 1;
  for (int64_t i = 1; i <= k; ++i) {
    const int64_t divisor = gcd(result, i);
    result = mul(result / divisor, (n - k + i) / (i / divisor));
  }
  return result;
}

}  // namespace pyk::math
