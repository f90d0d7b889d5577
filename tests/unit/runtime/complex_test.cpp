// pyk/complex.h: arithmetic that tables of cases do not reach.
#include "pyk/complex.h"

#include <doctest/doctest.h>

#include <cstring>

#include "pyk/lanes/complex.h"

namespace {

using Z = pyk::complex<double>;

TEST_CASE("complex numbers combine with reals and with each other") {
  Z z{1, 2};
  z += 1.0;
  z *= Z{0, 1};
  CHECK(z == Z{-2, 2});
  CHECK(z * 2.0 == Z{-4, 4});
  CHECK(2.0 - z == Z{4, -2});
  CHECK(z / z == Z{1, 0});
  CHECK(-z == pyk::neg(z));
  CHECK(pyk::abs(Z{3, -4}) == 5);
  CHECK(pyk::convert<pyk::complex<float>>(Z{0.1, 1}) == pyk::complex<float>{0.1f, 1});
  CHECK(pyk::convert<bool>(Z{0, 1}));
  CHECK(pyk::real(2.5) == 2.5);
  CHECK(pyk::imag(2.5) == 0);
}

TEST_CASE("division by zero gives inf and nan, extremes do not overflow") {
  const Z one = Z{1, 0} / Z{0, 0};
  CHECK(one.re == pyk::infinity<double>);
  CHECK(one.im != one.im);
  const Z big = Z{1e300, 1e300} / Z{1e300, 1e300};
  CHECK(big == Z{1, 0});
}

TEST_CASE("quotients in lanes are those of one number") {
  const double inf = pyk::infinity<double>, nan = pyk::not_a_number<double>;
  const double parts[] = {0.0, -0.0, 1.0, -3.5, 1e300, 4e-320, inf, -inf, nan};
  const auto same = [](double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
  };
  for (const double a : parts)
    for (const double b : parts)
      for (const double c : parts)
        for (const double d : parts) {
          const Z expected = Z{a, b} / Z{c, d};
          CAPTURE(a);
          CAPTURE(b);
          CAPTURE(c);
          CAPTURE(d);
          CHECK(same(pyk::lanes::quotient_real(a, b, c, d), expected.re));
          CHECK(same(pyk::lanes::quotient_imag(a, b, c, d), expected.im));
        }
}

TEST_CASE("exponentials in lanes are those of one number") {
  const double inf = pyk::infinity<double>, nan = pyk::not_a_number<double>;
  const double parts[] = {0.0,    -0.0,   1.0,   -3.5,   0.7853981633974483,
                          700.0,  708.5,  709.9, 712.0,  1500.0,
                          -708.5, -750.0, 1e300, -1e300, 4e-320,
                          inf,    -inf,   nan};
  const auto same = [](double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
  };
  for (const double re : parts)
    for (const double im : parts) {
      const Z expected = pyk::cmath::exp(Z{re, im});
      const double size = std::exp(pyk::lanes::exp_argument(re));
      CAPTURE(re);
      CAPTURE(im);
      CHECK(same(pyk::lanes::exp_real(re, im, size, std::cos(im)), expected.re));
      CHECK(same(pyk::lanes::exp_imag(re, im, size, std::sin(im)), expected.im));
    }
}

TEST_CASE("powers: whole exponents multiply") {
  CHECK(pyk::pow(Z{1, 2}, 2) == Z{-3, 4});
  CHECK(pyk::pow<2>(Z{1, 2}) == Z{-3, 4});
  CHECK(pyk::pow(Z{0, 0}, Z{0, 0}) == Z{1, 0});
  CHECK(pyk::pow(2.0, Z{3, 0}) == Z{8, 0});
}

}  // namespace
