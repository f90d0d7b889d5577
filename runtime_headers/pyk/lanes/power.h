// pow cbrt hypot in lanes; special values as in C99.
//
//   worst error, ULP      pow   cbrt  hypot
//   float32              0.51   0.95   0.50    cbrt: every one; pairs: 1e7
//   float64              1.00   0.96   1.19    1e7 of all sizes
//
// Where there is no FMA, pow is libm's, which is faster. Coefficients: minimax, by Remez exchange.
// Tested by tests/fuzz/vector_math.py and tests/run/test_lanes.py.
#pragma once

#include "pyk/core.h"
#include "pyk/lanes/exponential.h"

namespace pyk::lanes {

namespace detail {

// log(x) to 65 bits, x positive and finite
PYK_INLINE twofold<double> long_log(double x) {
  double k, m;
  split_any(x, k, m);
  // s = f / (m + 1), log(m) = s * (2 + z * (2/3 + z*q)), z = s*s
  const double f = m - 1;
  const twofold<double> under = two_sum(m, 1.0);
  const double inverse = 1 / under.hi, over = f * inverse;
  const twofold<double> back = two_product(over, under.hi);
  const double over_rest = (((f - back.hi) - back.lo) - over * under.lo) * inverse;
  const twofold<double> s = fast_two_sum(over, over_rest);
  twofold<double> z = two_product(s.hi, s.hi);
  z.lo = multiply_add(2 * s.hi, s.lo, z.lo);
  const double q =
      polynomial(z.hi, 0.4000000000000225, 0.2857142857010132, 0.22222222519645907,
                 0.18181784388939951, 0.15386756411490982, 0.13256837670657456, 0.1319615412817769);
  twofold<double> third = fast_two_sum(0x1.5555555555555p-1, z.hi * q);
  third.lo += 0x1.5555555555555p-55;
  twofold<double> w = two_product(z.hi, third.hi);
  w.lo += multiply_add(z.hi, third.lo, z.lo * third.hi);
  twofold<double> g = fast_two_sum(2.0, w.hi);
  g.lo += w.lo;
  twofold<double> log_m = two_product(s.hi, g.hi);
  log_m.lo += multiply_add(s.hi, g.lo, s.lo * g.hi);
  const twofold<double> sum = fast_two_sum(k * 0x1.62e42fefa2p-1, log_m.hi);
  const double rest = multiply_add(k, 0x1.9ef35793c7673p-41, log_m.lo);
  return fast_two_sum(sum.hi, sum.lo + rest);
}

PYK_INLINE double or_special_log(double x, double log) {
  const double finite = x < infinity<double> ? log : x;
  return x == 0 ? -infinity<double> : finite;
}

// x**y of x >= 0, without the cases where NaN has a power or is none
PYK_INLINE double positive_power(double x, double y) {
  using of = exponential<double>;
  const twofold<double> log = long_log(x);
  const double hi = x == 1 ? 0 : y * or_special_log(x, log.hi);  // 1**inf
  const double lo = multiply_add(y, log.lo, two_product(y, log.hi).lo);
  const double n = nearest(hi * 1.4426950408889634);
  const double near = multiply_add(n, -of::ln2, hi);
  const double of_hi = within(magnitude(hi), 1e-300, 1000.0, 0.0, lo, 0.0);
  const double rest = multiply_add(n, -of::ln2_rest, of_hi);
  const double r = near + rest, r_rest = (near - r) + rest;
  const double p = (r + multiply_add(r * r, of::exp(r), r_rest)) + 1;
  return within(hi, of::least, of::most, 0.0, near_one_times_power_of_2(p, n), infinity<double>);
}
// in double, to 33 bits: every float is a normal double
PYK_INLINE float positive_power(float x, float y) {
  double k, m;
  split(double(x), k, m);
  const double f = m - 1, s = f / (m + 1), z = s * s;
  const double third = polynomial(z, 0.66666665646014989, 0.40000335112282304, 0.2853731113611449,
                                  0.23582133334328029);
  const double log = multiply_add(k, 0.69314718055994531, s * multiply_add(z, third, 2.0));
  const double power = x == 1 ? 0 : y * or_special_log(x, log);
  const double n = nearest(power * 1.4426950408889634);
  const double r = multiply_add(n, -0.69314718055994531, power);
  const double p =
      polynomial(r, 1.0, 1.0, 0.50000000683650347, 0.16666665855533977, 0.041666292272935217,
                 0.0083334990857423935, 0.0013944865119948251, 0.00019789809284130979);
  return float(within(power, -110.0, 89.0, 0.0, p * power_of_2(n), infinity<double>));
}

}  // namespace detail

template <class T>
PYK_INLINE T pow(T x, T y) {
  using format = detail::format_of<T>;
  using pyk::detail::is_constant;
  const bool simple = is_constant(y, T(0.5)) || is_constant(y, T(1)) || is_constant(y, T(2)) ||
                      is_constant(y, T(-1));
  if (simple) return pyk::detail::pow_of_floats(x, y);
  if (is_constant(x, T(2))) return exp2(y);
  // Without FMA this would take longer than libm, which reads tables.
  if constexpr (!detail::has_fma) return std::pow(x, y);
  const T base = detail::magnitude(x), power = detail::magnitude(y), half = T(0.5) * power;
  const T p = detail::positive_power(base, y);
  // one condition at a time: g++ finds no vectors for a | b of doubles in SSE2
  const T whole = power >= format::whole ? power : (power + format::whole) - format::whole;
  const T whole_half = half >= format::whole ? half : (half + format::whole) - format::whole;
  const T odd_base = whole_half == half ? T(0) : x;
  const T of_any = detail::flipped(p, detail::sign_of(whole == power ? odd_base : T(0)));
  const T root_of = base == infinity<T> ? base : x;
  const T of_fraction = root_of < T(0) ? not_a_number<T> : of_any;
  const T real = whole == power ? of_any : of_fraction;
  const T of_one = x == T(1) ? T(1) : real;
  return y == T(0) ? T(1) : of_one;
}

template <class T>
PYK_INLINE T cbrt(T x) {
  const T y = detail::magnitude(x);
  T k, m;
  detail::split_any(y, k, m);
  // y = 2**(3*n) * 2**left * m, left -1, 0 or 1
  const T n = detail::nearest(k * T(1.0 / 3)), left = k - T(3) * n;
  const T part = m * (T(1) + left * (T(0.75) + T(0.25) * left));
  const T of_left = T(1) + left * (T(0.026810788421) * left - T(0.233110262184));
  // u -> 1 / cbrt(part)
  const T start = of_left * detail::polynomial(m, T(1.8745194635013225), T(-1.8618324153476797),
                                               T(1.5613073908189632), T(-0.7023874586776051),
                                               T(0.12836960618836091));
  const T e = T(1) - part * start * start * start;
  const T u = start + start * e * detail::multiply_add(e, T(2.0 / 9), T(1.0 / 3));
  const T c = part * u * u;
  const T root = c - (c * c * c - part) * (u * u * T(1.0 / 3));
  const T scaled = root * detail::power_of_2(n);
  const T finite = y < infinity<T> ? detail::flipped(scaled, detail::sign_of(x)) : x;
  return y > T(0) ? finite : x;
}

PYK_INLINE float hypot(float x, float y) {
  const double a = x, b = y, h = std::sqrt(a * a + b * b);
  const float of_y = detail::magnitude(y) == infinity<float> ? infinity<float> : float(h);
  return detail::magnitude(x) == infinity<float> ? infinity<float> : of_y;
}
PYK_INLINE double hypot(double x, double y) {
  const double a = detail::magnitude(x), b = detail::magnitude(y);
  const double most = a > b ? a : b, least = a > b ? b : a;  // hypot(x, y) == hypot(y, x)
  // by a power of two, so that no square is out of range: one for each quarter of the exponents
  constexpr uint64_t quarter = uint64_t(0x600) << 52, middle = uint64_t(0x100) << 52;
  const uint64_t up = (detail::bits_as<uint64_t>(most) & quarter) | middle;
  const double down = detail::bits_as<double>((uint64_t(0x7fe) << 52) - up);
  const double c = most * down, d = least * down;
  const double h = std::sqrt(detail::multiply_add(c, c, d * d)) * detail::bits_as<double>(up);
  const double of_b = b == infinity<double> ? b : h;
  return a == infinity<double> ? a : of_b;
}

}  // namespace pyk::lanes
