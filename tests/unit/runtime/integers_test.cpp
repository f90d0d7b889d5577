// pyk/lanes/integers.h against pyk::floordiv, mod and convert: small, large and extreme numbers.
#include "pyk/lanes/integers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

constexpr int kWidth = 32;

// Of every size and sign, zeros and ends among them.
template <class T>
std::vector<T> integers(int bits, int count) {
  std::mt19937_64 random(7 + uint64_t(bits));
  std::vector<T> out{0,
                     1,
                     T(-1),
                     2,
                     T(-2),
                     std::numeric_limits<T>::max(),
                     std::numeric_limits<T>::min(),
                     T(std::numeric_limits<T>::min() + 1)};
  while (int(out.size()) < count) {
    const auto size = int(random() % uint64_t(bits)) + 1;
    const uint64_t value = random() >> (64 - size);
    out.push_back(random() % 2 && std::is_signed<T>::value ? T(0 - value) : T(value));
  }
  return out;
}

template <class T>
void check_narrow() {
  const auto all = integers<T>(8 * sizeof(T), 400);
  for (const T a : all)
    for (const T b : all) {
      CAPTURE(a);
      CAPTURE(b);
      REQUIRE(pyk::lanes::floordiv(a, b) == pyk::floordiv(a, b));
      REQUIRE(pyk::lanes::mod(a, b) == pyk::mod(a, b));
    }
}

// Numbers of at most so many bits.
template <class T>
void check_wide(int bits) {
  auto all = integers<T>(bits, 2048);
  if (bits < 64) all.erase(all.begin() + 5, all.begin() + 8);
  std::mt19937_64 random(3);
  pyk::lane<T, kWidth> a, b, quotient, rest, by_one, of_one;
  for (int turn = 0; turn < 3000; ++turn) {
    for (int k = 0; k < kWidth; ++k) {
      a[k] = all[random() % all.size()];
      b[k] = all[random() % all.size()];
      if (turn % 3 == 0 && bits < 64) a[k] = T(a[k] / (b[k] ? b[k] : 1) * b[k] - (turn % 2));
    }
    pyk::lanes::floordiv(a, b, quotient);
    pyk::lanes::mod(a, b, rest);
    pyk::lanes::floordiv(a, b[0], by_one);
    pyk::lanes::mod(a[0], b, of_one);
    for (int k = 0; k < kWidth; ++k) {
      CAPTURE(a[k]);
      CAPTURE(b[k]);
      REQUIRE(quotient[k] == pyk::floordiv(a[k], b[k]));
      REQUIRE(rest[k] == pyk::mod(a[k], b[k]));
      REQUIRE(by_one[k] == pyk::floordiv(a[k], b[0]));
      REQUIRE(of_one[k] == pyk::mod(a[0], b[k]));
    }
    auto in_place = a;
    pyk::lanes::mod(in_place, b, in_place);
    for (int k = 0; k < kWidth; ++k) REQUIRE(in_place[k] == rest[k]);
  }
}

template <class T>
void check_to_float() {
  for (const T x : integers<T>(64, 100000))
    for (const T near : {x, T(x + 1), T(x - 1)}) {
      CAPTURE(near);
      REQUIRE(pyk::lanes::convert<double>(near) == static_cast<double>(near));
      REQUIRE(pyk::lanes::convert<float>(near) == static_cast<float>(near));
    }
}

template <class To, class From>
void check_to_integer() {
  std::vector<From> all{0,
                        From(-0.0),
                        std::numeric_limits<From>::infinity(),
                        -std::numeric_limits<From>::infinity(),
                        std::numeric_limits<From>::quiet_NaN(),
                        std::numeric_limits<From>::denorm_min(),
                        From(0x1p63),
                        From(-0x1p63),
                        From(0x1p64),
                        From(1e30)};
  std::mt19937_64 random(11);
  for (int k = 0; k < 100000; ++k) {
    const From x = std::ldexp(From(random() >> 11), int(random() % 70) - 55);
    all.insert(all.end(), {x, -x, std::nextafter(std::floor(x), From(0)), std::floor(x)});
  }
  for (const From x : all) {
    CAPTURE(x);
    REQUIRE(pyk::lanes::convert<To>(x) == pyk::convert<To>(x));
  }
}

TEST_CASE("division of at most 32 bits") {
  check_narrow<int8_t>();
  check_narrow<uint8_t>();
  check_narrow<int16_t>();
  check_narrow<int32_t>();
  check_narrow<uint32_t>();
}

// What AVX-512 does with numbers beyond 2**51.
TEST_CASE("division of up to 62 bits in two steps") {
  auto all = integers<int64_t>(62, 1500);
  all.erase(all.begin() + 5, all.begin() + 8);
  all.insert(all.end(), {int64_t(1) << 62, -(int64_t(1) << 62), (int64_t(1) << 62) - 1});
  for (const int64_t a : all)
    for (const int64_t b : all) {
      CAPTURE(a);
      CAPTURE(b);
      const auto both = pyk::lanes::detail::wide_division(a, b);
      REQUIRE(both.quotient == pyk::floordiv(a, b));
      REQUIRE(both.rest == pyk::mod(a, b));
    }
}

TEST_CASE("division of 64 bits, all lanes at once") {
  for (const int bits : {20, 51, 62, 64}) {
    check_wide<int64_t>(bits);
    check_wide<uint64_t>(bits);
  }
}

// The same bits as pyk::pow, one exponent for all lanes or one for each.
template <class F, class N>
void check_powers() {
  std::mt19937_64 random(11);
  const auto exponents = integers<N>(8 * sizeof(N), 64);
  const F special[] = {F(0), F(-0.0), F(1), F(-1), F(2), F(1e30), F(-1e-30),
                       std::numeric_limits<F>::infinity(), std::numeric_limits<F>::quiet_NaN()};
  const auto same = [](F a, F b) {
    return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
  };
  for (int round = 0; round < 300; ++round) {
    pyk::lane<F, kWidth> a, y;
    pyk::lane<N, kWidth> n;
    for (int k = 0; k < kWidth; ++k) {
      a[k] = random() % 8 == 0 ? special[random() % 9] : F(random() % 4000) / F(1000) - F(2);
      // Most are small, so that all of a gang often are.
      n[k] = round % 4 == 0 ? exponents[random() % exponents.size()]
                            : N(N(random() % 40) - (std::is_signed<N>::value ? N(8) : N(0)));
    }
    pyk::lanes::powers(a, n, y);
    for (int k = 0; k < kWidth; ++k) {
      CAPTURE(a[k]);
      CAPTURE(n[k]);
      REQUIRE(same(y[k], F(pyk::pow(a[k], n[k]))));
    }
    pyk::lanes::powers(a, n[0], y);
    for (int k = 0; k < kWidth; ++k) REQUIRE(same(y[k], F(pyk::pow(a[k], n[0]))));
    pyk::lanes::powers(a[0], n, y);
    for (int k = 0; k < kWidth; ++k) REQUIRE(same(y[k], F(pyk::pow(a[0], n[k]))));
  }
}

TEST_CASE_TEMPLATE("powers by integers", N, int8_t, uint8_t, int16_t, int32_t, uint32_t, int64_t,
                   uint64_t) {
  check_powers<double, N>();
  check_powers<float, N>();
}

TEST_CASE("conversions of 64 bits") {
  check_to_float<int64_t>();
  check_to_float<uint64_t>();
  check_to_integer<int64_t, double>();
  check_to_integer<uint64_t, double>();
  check_to_integer<int64_t, float>();
  check_to_integer<uint64_t, float>();
  check_to_integer<int32_t, float>();
  check_to_integer<uint8_t, double>();
}

TEST_CASE_TEMPLATE("odd numbers", T, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                   uint64_t) {
  for (const T x : {T(0), T(1), T(2), T(3), T(-1), T(-2), std::numeric_limits<T>::max(),
                    std::numeric_limits<T>::min()}) {
    CAPTURE(x);
    CHECK(pyk::lanes::is_odd(x) == (pyk::mod(x, T(2)) != 0));
    CHECK(pyk::lanes::is_odd(x) == ((x & 1) == 1));
  }
}

}  // namespace
