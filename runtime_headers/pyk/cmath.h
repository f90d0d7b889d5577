// Python's cmath module: pyk::cmath::sqrt(z), with CPython's algorithms and special values.
//
// All run in double; complex<float> is converted and rounded once. Nothing raises: where CPython
// raises ValueError or OverflowError the value is what C99 gives (inf, nan).
// sin, cos, tan, asin, atan are their hyperbolic siblings turned by i.
// Tested by tests/run/test_builtins.py on grids with ±0, inf and nan against CPython.
#pragma once

#include "pyk/complex.h"
#include "pyk/math.h"

namespace pyk::cmath {

using math::e;
using math::inf;
using math::nan;
using math::pi;
using math::tau;

namespace detail {

using number = complex<double>;

constexpr double huge = largest<double> / 4;
constexpr double log_huge = 708.396418532264106224;               // log(huge)
constexpr double sqrt_huge = 6.703903964971298549787012499e+153;  // sqrt(huge)
constexpr double tiny = 2.2250738585072014e-308;                  // the least normal number
constexpr double sqrt_tiny = 1.4916681462400413e-154;
constexpr double ln2 = 0.693147180559945309417232121458;

PYK_FN number times_i(number z) { return {-z.im, z.re}; }
PYK_FN number over_i(number z) { return {z.im, -z.re}; }
PYK_FN bool is_finite(number z) { return math::isfinite(z.re) && math::isfinite(z.im); }
PYK_FN bool is_large(number z) { return std::fabs(z.re) > huge || std::fabs(z.im) > huge; }

// log(|z|) for |z| that would overflow, plus log 2
PYK_FN double log_twice_size(number z) {
  return std::log(std::hypot(z.re / 2, z.im / 2)) + 2 * ln2;
}

// magnitude * (cos angle, sin angle) where magnitude is 0 or inf and the signs are all that counts
PYK_FN number along(double magnitude, double angle) {
  return {std::copysign(magnitude, std::cos(angle)), std::copysign(magnitude, std::sin(angle))};
}

PYK_FN number sqrt(number z) {
  if (math::isinf(z.im)) return {inf, z.im};
  if (z.re != z.re || z.im != z.im) {
    if (z.re == inf) return {inf, nan};
    if (z.re == -inf) return {nan, inf};
    return {nan, nan};
  }
  if (math::isinf(z.re)) {
    return z.re > 0 ? number{inf, std::copysign(0.0, z.im)} : number{0, std::copysign(inf, z.im)};
  }
  if (z.re == 0 && z.im == 0) return {0, z.im};
  double x = std::fabs(z.re);
  const double y = std::fabs(z.im);
  double s;
  if (x < tiny && y < tiny) {
    x = std::ldexp(x, 53);
    s = std::ldexp(std::sqrt(x + std::hypot(x, std::ldexp(y, 53))), -27);
  } else {
    x /= 8;
    s = 2 * std::sqrt(x + std::hypot(x, y / 8));
  }
  const double d = y / (2 * s);
  return z.re >= 0 ? number{s, std::copysign(d, z.im)} : number{d, std::copysign(s, z.im)};
}

PYK_FN number log(number z) {
  const double x = std::fabs(z.re), y = std::fabs(z.im);
  const double angle = std::atan2(z.im, z.re);
  if (math::isinf(x) || math::isinf(y)) return {inf, angle};
  if (x != x || y != y) return {nan, nan};
  if (x > huge || y > huge) return {std::log(std::hypot(x / 2, y / 2)) + ln2, angle};
  if (x < tiny && y < tiny) {
    if (x == 0 && y == 0) return {-inf, angle};
    return {std::log(std::hypot(std::ldexp(x, 53), std::ldexp(y, 53))) - 53 * ln2, angle};
  }
  const double size = std::hypot(x, y);
  if (size < 0.71 || size > 1.73) return {std::log(size), angle};
  const double more = x > y ? x : y, less = x > y ? y : x;
  return {std::log1p((more - 1) * (more + 1) + less * less) / 2, angle};
}

PYK_FN number exp(number z) {
  if (is_finite(z)) {
    if (z.re > log_huge) {
      const double size = std::exp(z.re - 1);
      return {size * std::cos(z.im) * e, z.im == 0 ? z.im : size * std::sin(z.im) * e};
    }
    const double size = std::exp(z.re);
    return {size * std::cos(z.im), size * std::sin(z.im)};
  }
  if (z.re == -inf) return math::isfinite(z.im) ? along(0, z.im) : number{0, 0};
  if (z.im == 0) return z;
  if (z.re == inf) return math::isfinite(z.im) ? along(inf, z.im) : number{inf, nan};
  return {nan, nan};
}

PYK_FN number cosh(number z) {
  if (is_finite(z)) {
    if (std::fabs(z.re) > log_huge) {
      const double less = z.re - std::copysign(1.0, z.re);
      return {std::cos(z.im) * std::cosh(less) * e, std::sin(z.im) * std::sinh(less) * e};
    }
    return {std::cos(z.im) * std::cosh(z.re), std::sin(z.im) * std::sinh(z.re)};
  }
  const double sign = std::copysign(1.0, z.re);
  if (math::isinf(z.re)) {
    if (z.im == 0) return {inf, sign * z.im};
    if (!math::isfinite(z.im)) return {inf, nan};
    const number r = along(inf, z.im);
    return {r.re, sign * r.im};
  }
  if (z.re == 0) return {nan, 0};
  if (z.im == 0) return {nan, 0};
  return {nan, nan};
}

PYK_FN number sinh(number z) {
  if (is_finite(z)) {
    if (std::fabs(z.re) > log_huge) {
      const double less = z.re - std::copysign(1.0, z.re);
      return {std::cos(z.im) * std::sinh(less) * e, std::sin(z.im) * std::cosh(less) * e};
    }
    return {std::cos(z.im) * std::sinh(z.re), std::sin(z.im) * std::cosh(z.re)};
  }
  if (math::isinf(z.re)) {
    if (z.im == 0) return z;
    if (!math::isfinite(z.im)) return {inf, nan};
    const number r = along(inf, z.im);
    return {std::copysign(1.0, z.re) * r.re, r.im};
  }
  if (z.re == 0) return {0, nan};
  if (z.im == 0) return z;
  return {nan, nan};
}

PYK_FN number tanh(number z) {
  if (is_finite(z)) {
    if (std::fabs(z.re) > log_huge) {
      const double decay = std::exp(-2 * std::fabs(z.re));
      return {std::copysign(1.0, z.re), 4 * std::sin(z.im) * std::cos(z.im) * decay};
    }
    const double x = std::tanh(z.re), y = std::tan(z.im), c = 1 / std::cosh(z.re);
    const double product = x * y, divisor = 1 + product * product;
    return {x * (1 + y * y) / divisor, ((y / divisor) * c) * c};
  }
  if (math::isinf(z.re)) {
    const double turn = math::isfinite(z.im) ? 2 * std::sin(z.im) * std::cos(z.im) : 0.0;
    return {std::copysign(1.0, z.re), std::copysign(0.0, turn)};
  }
  if (z.im == 0) return z;
  return {nan, nan};
}

PYK_FN number acos(number z) {
  const double angle = std::atan2(std::fabs(z.im), z.re);
  if (is_finite(z) && !is_large(z)) {
    const number s1 = sqrt({1 - z.re, -z.im}), s2 = sqrt({1 + z.re, z.im});
    return {2 * std::atan2(s1.re, s2.re), std::asinh(s2.re * s1.im - s2.im * s1.re)};
  }
  if (is_finite(z)) return {angle, std::copysign(log_twice_size(z), -z.im)};
  if (math::isinf(z.im)) return {angle, -z.im};
  if (math::isinf(z.re))
    return z.im != z.im ? number{nan, inf} : number{angle, std::copysign(inf, -z.im)};
  return {z.re == 0 ? pi / 2 : nan, nan};
}

PYK_FN number acosh(number z) {
  const double angle = std::atan2(z.im, z.re);
  if (is_finite(z) && !is_large(z)) {
    const number s1 = sqrt({z.re - 1, z.im}), s2 = sqrt({z.re + 1, z.im});
    return {std::asinh(s1.re * s2.re + s1.im * s2.im), 2 * std::atan2(s1.im, s2.re)};
  }
  if (is_finite(z)) return {log_twice_size(z), angle};
  if (math::isinf(z.re) || math::isinf(z.im)) return {inf, angle};
  return {nan, nan};
}

PYK_FN number asinh(number z) {
  const double angle = std::atan2(z.im, std::fabs(z.re));
  if (is_finite(z) && !is_large(z)) {
    const number s1 = sqrt({1 + z.im, -z.re}), s2 = sqrt({1 - z.im, z.re});
    return {std::asinh(s1.re * s2.im - s2.re * s1.im),
            std::atan2(z.im, s1.re * s2.re - s1.im * s2.im)};
  }
  if (is_finite(z)) return {std::copysign(log_twice_size(z), z.re), angle};
  if (math::isinf(z.re)) return {z.re, angle};
  if (math::isinf(z.im)) return {z.re != z.re ? inf : std::copysign(inf, z.re), angle};
  if (z.im == 0) return {nan, z.im};
  return {nan, nan};
}

PYK_FN number atanh(number z) {
  if (z.re < 0 || (z.re == 0 && std::signbit(z.re))) return -atanh(-z);
  if (!is_finite(z)) {
    if (math::isinf(z.im)) return {0, std::copysign(pi / 2, z.im)};
    if (z.re == inf) return {0, z.im != z.im ? nan : std::copysign(pi / 2, z.im)};
    return {z.re == 0 ? z.re : nan, nan};
  }
  const double y = std::fabs(z.im);
  if (z.re > sqrt_huge || y > sqrt_huge) {
    const double size = std::hypot(z.re / 2, z.im / 2);
    return {z.re / 4 / size / size, -std::copysign(pi / 2, -z.im)};
  }
  if (z.re == 1 && y < sqrt_tiny) {
    if (y == 0) return {inf, z.im};
    return {-std::log(std::sqrt(y) / std::sqrt(std::hypot(y, 2.0))),
            std::copysign(std::atan2(2.0, -y) / 2, z.im)};
  }
  const double rest = 1 - z.re;
  return {std::log1p(4 * z.re / (rest * rest + y * y)) / 4,
          -std::atan2(-2 * z.im, rest * (1 + z.re) - y * y) / 2};
}

PYK_FN number asin(number z) { return over_i(asinh(times_i(z))); }
PYK_FN number atan(number z) { return over_i(atanh(times_i(z))); }
PYK_FN number sin(number z) { return over_i(sinh(times_i(z))); }
PYK_FN number tan(number z) { return over_i(tanh(times_i(z))); }
PYK_FN number cos(number z) { return cosh(times_i(z)); }
PYK_FN number log10(number z) {
  const number r = log(z);
  return {r.re / 2.302585092994045684017991454684, r.im / 2.302585092994045684017991454684};
}

}  // namespace detail

// The float type of a real or complex argument.
template <class T>
struct component_of {
  using type = floating<T>;
};
template <class T>
struct component_of<complex<T>> {
  using type = T;
};
template <class T>
using component = typename component_of<T>::type;

// Any number as complex<double>.
template <class T>
PYK_FN complex<double> widen(T z) {
  if constexpr (is_complex<T>) {
    return complex<double>(z);
  } else {
    return {double(z), 0};
  }
}

#define PYK_COMPLEX(name)                                 \
  template <class T>                                      \
  PYK_FN complex<component<T>> name(T z) {                \
    return complex<component<T>>(detail::name(widen(z))); \
  }
PYK_COMPLEX(acos)
PYK_COMPLEX(acosh)
PYK_COMPLEX(asin)
PYK_COMPLEX(asinh)
PYK_COMPLEX(atan)
PYK_COMPLEX(atanh)
PYK_COMPLEX(cos)
PYK_COMPLEX(cosh)
PYK_COMPLEX(exp)
PYK_COMPLEX(log)
PYK_COMPLEX(log10)
PYK_COMPLEX(sin)
PYK_COMPLEX(sinh)
PYK_COMPLEX(sqrt)
PYK_COMPLEX(tan)
PYK_COMPLEX(tanh)
#undef PYK_COMPLEX

template <class T, class U>
PYK_FN complex<common<component<T>, component<U>>> log(T z, U base) {
  using R = complex<common<component<T>, component<U>>>;
  return R(detail::log(widen(z)) / detail::log(widen(base)));
}

template <class T>
PYK_FN component<T> phase(T z) {
  return component<T>(std::atan2(widen(z).im, widen(z).re));
}

template <class T>
PYK_FN tuple<component<T>, component<T>> polar(T z) {
  return {component<T>(std::hypot(widen(z).re, widen(z).im)), phase(z)};
}

template <class A, class B>
PYK_FN complex<math::floating_common<A, B>> rect(A length, B angle) {
  using F = math::floating_common<A, B>;
  const double r = double(length), phi = double(angle);
  complex<double> z;
  if (phi == 0) {
    z = {r, r * phi};
    if (r != r) z.im = 0;
    if (math::isinf(r)) z.im = r > 0 ? phi : -phi;
  } else if (math::isinf(r) && math::isfinite(phi)) {
    z = detail::along(inf, phi);
    if (r < 0) z = -z;
  } else {
    z = {r * std::cos(phi), r * std::sin(phi)};
    if (r == 0 && !math::isfinite(phi)) z = {0, 0};
    if (math::isinf(r)) z = {inf, nan};
  }
  return complex<F>(z);
}

template <class T>
PYK_FN bool isnan(T z) {
  return widen(z).re != widen(z).re || widen(z).im != widen(z).im;
}
template <class T>
PYK_FN bool isinf(T z) {
  return math::isinf(widen(z).re) || math::isinf(widen(z).im);
}
template <class T>
PYK_FN bool isfinite(T z) {
  return detail::is_finite(widen(z));
}

template <class A, class B>
PYK_FN bool isclose(A left, B right, double relative = 1e-9, double absolute = 0) {
  const auto a = widen(left), b = widen(right);
  if (a == b) return true;
  if (isinf(a) || isinf(b)) return false;
  const double difference = pyk::abs(a - b);
  return difference <= relative * pyk::abs(b) || difference <= relative * pyk::abs(a) ||
         difference <= absolute;
}

}  // namespace pyk::cmath
