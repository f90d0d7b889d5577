// NumPy's ufuncs on scalars: pyk::np::maximum(a, b).
//
// Arguments arrive in the type that the function computes in (the registry's rows): every function
// takes one type T and returns it, or what NumPy's loop of that type returns. Values are NumPy's:
// integer overflow wraps, x // 0 and x % 0 of integers are 0, maximum propagates NaN.
// Tested by tests/builtins/numpy.cases.
#pragma once

#include "pyk/cmath.h"
#include "pyk/complex.h"
#include "pyk/math.h"
#include "pyk/operator.h"

namespace pyk::np {

using math::e;
using math::inf;
using math::nan;
using math::pi;
constexpr double euler_gamma = 0.577215664901532860606512090082402431;

// ---- elementary functions: real through math, complex through cmath ----------------------------

#define PYK_ELEMENTARY(name, of)   \
  template <class T>               \
  PYK_FN auto name(T x) {          \
    if constexpr (is_complex<T>) { \
      return cmath::of(x);         \
    } else {                       \
      return math::of(x);          \
    }                              \
  }
PYK_ELEMENTARY(arccos, acos)
PYK_ELEMENTARY(arccosh, acosh)
PYK_ELEMENTARY(arcsin, asin)
PYK_ELEMENTARY(arcsinh, asinh)
PYK_ELEMENTARY(arctan, atan)
PYK_ELEMENTARY(arctanh, atanh)
PYK_ELEMENTARY(cos, cos)
PYK_ELEMENTARY(cosh, cosh)
PYK_ELEMENTARY(exp, exp)
PYK_ELEMENTARY(log, log)
PYK_ELEMENTARY(log10, log10)
PYK_ELEMENTARY(sin, sin)
PYK_ELEMENTARY(sinh, sinh)
PYK_ELEMENTARY(sqrt, sqrt)
PYK_ELEMENTARY(tan, tan)
PYK_ELEMENTARY(tanh, tanh)
PYK_ELEMENTARY(isfinite, isfinite)
PYK_ELEMENTARY(isinf, isinf)
PYK_ELEMENTARY(isnan, isnan)
#undef PYK_ELEMENTARY

template <class T>
PYK_FN auto exp2(T x) {
  if constexpr (is_complex<T>) {
    return T(cmath::exp(complex<double>(x) * cmath::detail::ln2));
  } else {
    return math::exp2(x);
  }
}
template <class T>
PYK_FN auto expm1(T x) {
  if constexpr (is_complex<T>) {
    const complex<double> z(x);
    const double half = std::sin(z.im / 2);
    return T(complex<double>(std::expm1(z.re) * std::cos(z.im) - 2 * half * half,
                             std::exp(z.re) * std::sin(z.im)));
  } else {
    return math::expm1(x);
  }
}
template <class T>
PYK_FN auto log1p(T x) {
  if constexpr (is_complex<T>) {
    const complex<double> z(x);
    return T(complex<double>(std::log(std::hypot(z.re + 1, z.im)), std::atan2(z.im, z.re + 1)));
  } else {
    return math::log1p(x);
  }
}
template <class T>
PYK_FN auto log2(T x) {
  if constexpr (is_complex<T>) {
    const auto z = cmath::log(complex<double>(x));
    return T(complex<double>(z.re / cmath::detail::ln2, z.im / cmath::detail::ln2));
  } else {
    return math::log2(x);
  }
}

using math::cbrt;
using math::copysign;
using math::degrees;
using math::fabs;
using math::frexp;
using math::hypot;
using math::ldexp;
using math::modf;
using math::nextafter;
using math::radians;

template <class T>
PYK_FN T arctan2(T y, T x) {
  return std::atan2(y, x);
}
template <class T>
PYK_FN T deg2rad(T x) {
  return math::radians(x);
}
template <class T>
PYK_FN T rad2deg(T x) {
  return math::degrees(x);
}
template <class T>
PYK_FN bool signbit(T x) {
  return std::signbit(x);
}
// The distance to the next number away from zero.
template <class T>
PYK_FN T spacing(T x) {
  if (math::isinf(x)) return not_a_number<T>;
  return std::nextafter(x, std::copysign(infinity<T>, x)) - x;
}
template <class T>
PYK_FN T logaddexp(T a, T b) {
  if (a == b) return a + T(cmath::detail::ln2);
  const T difference = a - b;
  if (difference > 0) return a + std::log1p(std::exp(-difference));
  return difference <= 0 ? b + std::log1p(std::exp(difference)) : difference;
}
template <class T>
PYK_FN T logaddexp2(T a, T b) {
  constexpr T log2_e = T(1.442695040888963407359924681001892137);
  if (a == b) return a + 1;
  const T difference = a - b;
  if (difference > 0) return a + log2_e * std::log1p(std::exp2(-difference));
  return difference <= 0 ? b + log2_e * std::log1p(std::exp2(difference)) : difference;
}
template <class T>
PYK_FN T heaviside(T x, T at_zero) {
  return x != x ? x : x == 0 ? at_zero : x < 0 ? T(0) : T(1);
}
template <class T>
PYK_FN T sinc(T x) {
  const T y = T(pi) * (x == 0 ? T(1e-20) : x);
  return std::sin(y) / y;
}

// ---- rounding ----------------------------------------------------------------------------------

#define PYK_ROUNDING(name)       \
  template <class T>             \
  PYK_FN T name(T x) {           \
    if constexpr (is_float<T>) { \
      return std::name(x);       \
    } else {                     \
      return x;                  \
    }                            \
  }
PYK_ROUNDING(ceil)
PYK_ROUNDING(floor)
PYK_ROUNDING(trunc)
#undef PYK_ROUNDING

template <class T>
PYK_FN T rint(T x) {
  if constexpr (is_complex<T>) {
    return {std::rint(x.re), std::rint(x.im)};
  } else {
    return std::rint(x);
  }
}

// np.round: scaled, rounded half to even, scaled back; unlike round(x, n) not exact in decimal.
template <class T>
PYK_FN T round(T x, int64_t decimals = 0) {
  if constexpr (!is_float<T>) {
    return pyk::round(x, decimals);
  } else {
    if (decimals == 0) return std::rint(x);
    const T scale = T(std::pow(10.0, double(decimals < 0 ? -decimals : decimals)));
    return decimals < 0 ? std::rint(x / scale) * scale : std::rint(x * scale) / scale;
  }
}

// ---- arithmetic --------------------------------------------------------------------------------

template <class T>
PYK_FN constexpr auto absolute(T x) {
  return pyk::abs(x);
}
template <class T>
PYK_FN constexpr T add(T a, T b) {
  if constexpr (std::is_same<T, bool>::value) return a || b;
  return pyk::add(a, b);
}
template <class T>
PYK_FN constexpr T subtract(T a, T b) {
  return pyk::sub(a, b);
}
template <class T>
PYK_FN constexpr T multiply(T a, T b) {
  return pyk::mul(a, b);
}
template <class T>
PYK_FN constexpr auto divide(T a, T b) {
  return pyk::truediv(a, b);
}
template <class T>
PYK_FN T floor_divide(T a, T b) {
  return pyk::floordiv(a, b);
}
template <class T>
PYK_FN T remainder(T a, T b) {
  return pyk::mod(a, b);
}
// The sign of the dividend, as C; integers by 0 give 0.
template <class T>
PYK_FN T fmod(T a, T b) {
  if constexpr (is_float<T>) {
    return pyk::fmod(a, b);
  } else if constexpr (is_signed<T>) {
    return b == 0 || b == -1 ? T(0) : T(a % b);
  } else {
    return b == 0 ? T(0) : T(a % b);
  }
}
template <class T>
PYK_FN tuple<T, T> divmod(T a, T b) {
  return {pyk::floordiv(a, b), pyk::mod(a, b)};
}
template <class T>
PYK_FN T power(T a, T b) {
  return pyk::pow(a, b);
}
template <class T>
PYK_FN T float_power(T a, T b) {
  return pyk::pow(a, b);
}
template <class T>
PYK_FN constexpr T negative(T x) {
  return pyk::neg(x);
}
template <class T>
PYK_FN constexpr T positive(T x) {
  return x;
}
template <class T>
PYK_FN constexpr T square(T x) {
  return pyk::mul(x, x);
}
template <class T>
PYK_FN constexpr T reciprocal(T x) {
  if constexpr (is_complex<T>) {
    if (pyk::abs(x.im) <= pyk::abs(x.re)) {
      const auto ratio = x.im / x.re, scale = x.re + x.im * ratio;
      return {1 / scale, -ratio / scale};
    }
    const auto ratio = x.re / x.im, scale = x.re * ratio + x.im;
    return {ratio / scale, -1 / scale};
  } else if constexpr (is_integer<T>) {
    return x == T(1) || x == T(-1) ? x : x == T(0) ? lowest<T> : T(0);
  } else {
    return T(1) / x;
  }
}
// -1, 0 or 1; NaN of NaN; z / |z| of complex z.
template <class T>
PYK_FN constexpr T sign(T x) {
  if constexpr (is_complex<T>) {
    const auto size = pyk::abs(x);
    if (math::isinf(size)) {
      if (!math::isinf(x.re)) return {0, std::copysign(decltype(size)(1), x.im)};
      if (!math::isinf(x.im)) return {std::copysign(decltype(size)(1), x.re), 0};
      return {not_a_number<decltype(size)>, not_a_number<decltype(size)>};
    }
    return x == T(0) ? T(0) : T(x.re / size, x.im / size);
  } else if constexpr (!is_signed<T>) {
    return T(x != T(0));
  } else {
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? T(0) : x;
  }
}
template <class T>
PYK_FN constexpr T conjugate(T x) {
  return pyk::conj(x);
}
template <class T>
PYK_FN constexpr auto real(T x) {
  return pyk::real(x);
}
template <class T>
PYK_FN constexpr auto imag(T x) {
  return pyk::imag(x);
}
template <class T>
PYK_FN auto angle(T x) {
  return cmath::phase(x);
}
using math::gcd;
using math::lcm;

// ---- choosing ----------------------------------------------------------------------------------

// NaN if either is; both compile to compare and select.
template <class T>
PYK_FN constexpr T maximum(T a, T b) {
  return pyk::detail::less(b, a) || pyk::detail::is_nan(a) ? a : b;
}
template <class T>
PYK_FN constexpr T minimum(T a, T b) {
  return pyk::detail::less(a, b) || pyk::detail::is_nan(a) ? a : b;
}
// The number if the other is NaN.
template <class T>
PYK_FN constexpr T fmax(T a, T b) {
  return pyk::detail::less(a, b) || pyk::detail::is_nan(a) ? b : a;
}
template <class T>
PYK_FN constexpr T fmin(T a, T b) {
  return pyk::detail::less(b, a) || pyk::detail::is_nan(a) ? b : a;
}

// ---- comparison, logic, bits -------------------------------------------------------------------

template <class T>
PYK_FN constexpr bool equal(T a, T b) {
  return a == b;
}
template <class T>
PYK_FN constexpr bool not_equal(T a, T b) {
  return a != b;
}
template <class T>
PYK_FN constexpr bool less(T a, T b) {
  return pyk::detail::less(a, b);
}
template <class T>
PYK_FN constexpr bool less_equal(T a, T b) {
  return pyk::detail::less(a, b) || a == b;
}
template <class T>
PYK_FN constexpr bool greater(T a, T b) {
  return pyk::detail::less(b, a);
}
template <class T>
PYK_FN constexpr bool greater_equal(T a, T b) {
  return pyk::detail::less(b, a) || a == b;
}

// Both are asked for: no way to miss, and vectors of them.
template <class T>
PYK_FN constexpr bool logical_and(T a, T b) {
  const bool one = truth(a), other = truth(b);
  return one & other;
}
template <class T>
PYK_FN constexpr bool logical_or(T a, T b) {
  const bool one = truth(a), other = truth(b);
  return one | other;
}
template <class T>
PYK_FN constexpr bool logical_xor(T a, T b) {
  return truth(a) != truth(b);
}
template <class T>
PYK_FN constexpr bool logical_not(T x) {
  return !truth(x);
}

template <class T>
PYK_FN constexpr T bitwise_and(T a, T b) {
  return and_(a, b);
}
template <class T>
PYK_FN constexpr T bitwise_or(T a, T b) {
  return or_(a, b);
}
template <class T>
PYK_FN constexpr T bitwise_xor(T a, T b) {
  return xor_(a, b);
}
template <class T>
PYK_FN constexpr T invert(T x) {
  return pyk::invert(x);
}
template <class T>
PYK_FN constexpr T left_shift(T a, T count) {
  return shl(a, count);
}
template <class T>
PYK_FN constexpr T right_shift(T a, T count) {
  return shr(a, count);
}
// The ones in |x|.
template <class T>
PYK_FN constexpr uint8_t bitwise_count(T x) {
  uint64_t rest = uint64_t(pyk::abs(x));
  if constexpr (sizeof(T) < 8) rest &= (uint64_t(1) << (8 * sizeof(T))) - 1;
  rest -= (rest >> 1) & 0x5555555555555555u;
  rest = (rest & 0x3333333333333333u) + ((rest >> 2) & 0x3333333333333333u);
  rest = (rest + (rest >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return uint8_t((rest * 0x0101010101010101u) >> 56);
}

// ---- tests and repairs -------------------------------------------------------------------------

template <class T>
PYK_FN bool isneginf(T x) {
  return double(x) == -inf;
}
template <class T>
PYK_FN bool isposinf(T x) {
  return double(x) == inf;
}
template <class T>
PYK_FN constexpr bool isreal(T x) {
  return imag(x) == 0;
}
template <class T>
PYK_FN constexpr bool iscomplex(T x) {
  return imag(x) != 0;
}
// |a - b| <= 1e-8 + 1e-5 |b|
template <class T>
PYK_FN bool isclose(T a, T b) {
  if (a == b) return true;
  if (!isfinite(a) || !isfinite(b)) return false;
  if constexpr (is_complex<T>) {
    return pyk::abs(a - b) <= 1e-8 + 1e-5 * pyk::abs(b);
  } else {
    return std::fabs(double(a) - double(b)) <= 1e-8 + 1e-5 * std::fabs(double(b));
  }
}
template <class T>
PYK_FN T nan_to_num(T x) {
  if constexpr (is_complex<T>) {
    return {nan_to_num(x.re), nan_to_num(x.im)};
  } else if constexpr (is_float<T>) {
    return x != x ? T(0) : x > largest<T> ? largest<T> : x < lowest<T> ? lowest<T> : x;
  } else {
    return x;
  }
}

}  // namespace pyk::np
