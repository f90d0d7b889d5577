// tgamma in lanes; special values as in C99.
//
//   worst error, ULP   tgamma
//   float32              0.50    1e7
//   float64              3.30    1e7 of all sizes
//
// (lgamma is not here: near its zeros it would need more digits than two float64 hold.)
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/power.h"

namespace pyk::lanes {

namespace detail {

// gamma(y + 3) = w**(w - 0.5) * exp(0.5 - w) * after_power(y), w = y + 3, y >= 0
PYK_INLINE twofold<double> after_power(double y) {
  const double t = (y - 3.5) / (y + 3.5);
  const double rest =
      polynomial(t, -0.021211847188223311, 0.001724754773731453, -0.00012155892363425188,
                 7.4670186622643191e-06, -4.9218899316581116e-07, 4.3443528834180205e-08,
                 -3.103124374374336e-09, 7.6389572086606294e-11, -2.0447979553172984e-11,
                 3.998639105825465e-12, 5.7843564524711948e-13, -1.6300141492426895e-14,
                 -3.0565613181786329e-14);
  return fast_two_sum(1.5399485371738615, t * rest);
}
// to 36 bits
PYK_INLINE double short_after_power(double y) {
  return polynomial((y - 3) / (y + 3), 1.5415904789628192, -0.021352268695286399,
                    8.990707146060976e-05, 1.847618903926484e-05, 4.2897248785185191e-07,
                    -1.089298019429867e-07, -1.2516443541807776e-08);
}

// sin(pi * y) without its sign, and that; y >= 0
PYK_INLINE twofold<double> sine_of_half_turns(double y, uint64_t& sign) {
  const double near = y < 0x1p52 ? y : 0;  // from there on every number is whole
  const double shifted = near + 0x1p52, r = near - (shifted - 0x1p52);
  const double part = magnitude(r), z = part * part;
  const double sine =
      polynomial(z, -5.1677127800499694, 2.5501640398773029, -0.59926452931896246,
                 0.082145886572849949, -0.0073704305008807994, 0.00046629978303013925,
                 -2.1903398694821898e-05, 7.6967157905365651e-07);
  sign = (bits_as<uint64_t>(shifted) << 63) ^ sign_of(r);
  const twofold<double> line = two_product(part, 0x1.921fb54442d18p+1);
  const double rest = part * multiply_add(z, sine, 0x1.1a62633145c07p-53);
  return fast_two_sum(line.hi, line.lo + rest);
}

// gamma(x) from gamma(|x| + 3) = front * 2**n
PYK_INLINE double gamma_from(double x, const twofold<double>& front, double n) {
  const double y = magnitude(x);
  // steps = (y + 1) * (y + 2) = y * (y + 3) + 2
  const twofold<double> w = two_sum(y, 3.0), square = two_product(y, w.hi);
  twofold<double> steps = two_sum(square.hi, 2.0);
  steps.lo += multiply_add(y, w.lo, square.lo);
  twofold<double> back = two_product(steps.hi, y);
  back.lo = multiply_add(steps.lo, y, back.lo);
  const double of_positive = times_power_of_2(quotient(front, back), n);
  // gamma(-y) = -pi / (y * sin(pi * y) * gamma(y))
  uint64_t sign = 0;
  const twofold<double> sine = sine_of_half_turns(y, sign);
  twofold<double> over = two_product(steps.hi, 0x1.921fb54442d18p+1);
  over.lo += multiply_add(steps.lo, 0x1.921fb54442d18p+1, steps.hi * 0x1.1a62633145c07p-53);
  twofold<double> under = two_product(sine.hi, front.hi);
  under.lo += multiply_add(sine.hi, front.lo, sine.lo * front.hi);
  const double of_negative = times_power_of_2(quotient(over, under), -n);
  const double pole = sine.hi == 0 ? not_a_number<double> : 0;
  const double small = y > 190 ? 0 : of_negative;
  const double below = flipped(small + pole, sign ^ sign_bit<double>);
  const double above = y > 172 ? infinity<double> : of_positive;
  const double number = x < 0 ? below : above;
  const double of_least = y < 1e-300 ? 1 / x : number;
  return x == x ? of_least : x;
}

PYK_INLINE double long_gamma(double x) {
  using of = exponential<double>;
  const double y = magnitude(x);
  // gamma(w) = exp(power) * after_power(y), power = (w - 0.5) * (log(w) - 1)
  const twofold<double> w = two_sum(y, 3.0), half = two_sum(y, 2.5), log = long_log(w.hi);
  const twofold<double> less_1 = two_sum(log.hi, -1.0);
  const double log_rest = less_1.lo + (log.lo + w.lo / w.hi);
  const twofold<double> power = two_product(half.hi, less_1.hi);
  const double power_rest = power.lo + multiply_add(half.hi, log_rest, half.lo * less_1.hi);
  const double n = nearest(power.hi * 1.4426950408889634);
  const double near = multiply_add(n, -of::ln2, power.hi);
  const double rest = multiply_add(n, -of::ln2_rest, power_rest);
  const double r = near + rest, r_rest = (near - r) + rest;
  const double p = r + multiply_add(r * r, of::exp(r), r_rest);
  const twofold<double> after = after_power(y), more = two_product(p, after.hi);
  twofold<double> front = fast_two_sum(after.hi, more.hi);
  front.lo += more.lo + multiply_add(p, after.lo, after.lo);
  return gamma_from(x, front, n);
}

}  // namespace detail

PYK_INLINE double tgamma(double x) { return detail::long_gamma(x); }
PYK_INLINE float tgamma(float x) {
  const double y = detail::magnitude(x), w = y + 3;
  double n;
  const double p = detail::exp_of_fraction((w - 0.5) * (log(w) - 1), n);
  return float(detail::gamma_from(x, {p * detail::short_after_power(y), 0}, n));
}

}  // namespace pyk::lanes
