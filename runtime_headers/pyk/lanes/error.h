// erf in lanes.
//
// At most 2 units in the last place off, for every argument; special values as in C99.
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
};
template <>
struct error_function<float> {
  static constexpr float least = 0.9f, most = 4;
  PYK_INLINE float near(float z) {
    return polynomial(z, 0.128379151f, -0.376125246f, 0.112821415f, -0.0267789215f, 0.0050119767f,
                      -0.000609040959f);
  }
  PYK_INLINE float far(float x) {
    return polynomial(x, -0.00182227674f, -1.12039781f, -0.650453866f, -0.0913227126f,
                      0.0156525355f, -0.00126137922f);
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

}  // namespace pyk::lanes
