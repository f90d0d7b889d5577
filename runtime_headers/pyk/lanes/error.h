// erf erfc in lanes; special values as in C99.
//
//   worst error, ULP      erf   erfc
//   float32              1.75   3.60    every one
//   float64              1.63   3.33    1e7 of all sizes
//
// Coefficients: minimax, by Remez exchange. Tested by tests/fuzz/vector_math.py and
// tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/exponential.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct error_function;
template <>
struct error_function<double> {
  static constexpr double least = 1, most = 6;  // 1 from `most` on
  static constexpr double middle = 4, end = 27.5;
  // erf(x) = x + x * near(x*x), 0 <= x <= least
  PYK_INLINE double near(double z) {
    return polynomial(z, 0.12837916709551256, -0.37612638903183521, 0.11283791670944203,
                      -0.026866170643114074, 0.0052239776061371694, -0.00085483259300983777,
                      0.0001205529359740871, -1.4924712646490146e-05, 1.6447135283591778e-06,
                      -1.6206338545165214e-07, 1.3711073633874702e-08, -7.7796193238671167e-10);
  }
  // erf(x) = 1 - exp(far(x)), least <= x <= most
  PYK_INLINE double far(double x) {
    return polynomial(x, -4.6994196665513771e-07, -1.1283743964430859, -0.63664229837069852,
                      -0.10270699129529394, 0.018996729442270023, 0.00040177696878654156,
                      -0.0019068724396819994, 0.00076344194715138641, -0.00013056743843930152,
                      -2.2467270421133013e-05, 2.3674266303198488e-05, -8.9256227651081221e-06,
                      2.1964056649134074e-06, -3.8411972682859673e-07, 4.7833381340302072e-08,
                      -4.0611441164359757e-09, 2.1152720784424076e-10, -5.1093284202607114e-12);
  }
  // erfc(x) = exp(-x*x) / (1 + 2*x) * scaled((x - middle) / (x + middle)), 0 <= x <= end
  PYK_INLINE double scaled(double t) {
    const double rest = polynomial(
        t, -0.13962111684056253, 0.015379652102619622, 0.068097054254695324, -0.10103906603629773,
        0.093732834998256256, -0.066330365812359876, 0.037167515538977694, -0.016197734056210122,
        0.0050319699648815209, -0.00075777329923152725, -0.00019925662550432567,
        0.00015062172344473566, -2.4399442318138562e-05, -1.122218297698306e-05,
        5.7101969606492897e-06, 2.9416180994156239e-07, -8.2596670311528016e-07,
        7.4105275431008671e-08, 1.1033306418858992e-07, -1.7469590161089995e-08,
        -1.4070593903812436e-08, 1.6772468022671701e-09, 1.1981290240072277e-09);
    return multiply_add(t, rest, 1.2329951186255526);
  }
};
template <>
struct error_function<float> {
  static constexpr float least = 0.9f, most = 4;
  static constexpr float middle = 2, end = 10.3f;
  PYK_INLINE float near(float z) {
    return polynomial(z, 0.128379151f, -0.376125246f, 0.112821415f, -0.0267789215f, 0.0050119767f,
                      -0.000609040959f);
  }
  PYK_INLINE float far(float x) {
    return polynomial(x, -0.00182227674f, -1.12039781f, -0.650453866f, -0.0913227126f,
                      0.0156525355f, -0.00126137922f);
  }
  PYK_INLINE float scaled(float t) {
    const float rest =
        polynomial(t, -0.0927638933f, -0.166031405f, 0.164053038f, -0.0542045906f, -0.0080434233f,
                   0.00863671582f, 0.001269056f, -0.00125278777f, -0.00035947666f, 2.89968266e-05f);
    return multiply_add(t, rest, 1.27697837f);
  }
};

}  // namespace detail

template <class T>
PYK_INLINE T erf(T x) {
  using of = detail::error_function<T>;
  const T y = detail::magnitude(x), near = detail::multiply_add(y, of::near(y * y), y);
  const T far = T(1) - detail::exp_of_normal(of::far(y));
  return detail::flipped(detail::within(y, of::least, of::most, near, far, T(1)),
                         detail::sign_of(x));
}

template <class T>
PYK_INLINE T erfc(T x) {
  using of = detail::error_function<T>;
  const T y = detail::magnitude(x);
  const T scaled = of::scaled((y - of::middle) / (y + of::middle)) / (T(1) + T(2) * y);
  const detail::twofold<T> square = detail::two_product(y, y);
  T n;
  const T of_hi = detail::expm1_of_fraction(-square.hi, n);
  const T p = of_hi - detail::multiply_add(square.lo, of_hi, square.lo);
  const T part = detail::times_power_of_2(detail::multiply_add(scaled, p, scaled), n);
  const T tail = y > of::end ? T(0) : part;
  const T far = x < T(0) ? T(2) - tail : tail;
  const T near = T(1) - detail::multiply_add(x, of::near(x * x), x);
  return y < T(0.5) ? near : far;
}

}  // namespace pyk::lanes
