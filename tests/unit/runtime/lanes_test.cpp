// pyk::lane<T, W>: the functions of pyk/lanes on all of its values, rare angles among them.
#include <doctest/doctest.h>

#include <cmath>

#include "pyk/lanes/arrays.h"

namespace {

constexpr int kWidth = 64;

template <class T>
pyk::lane<T, kWidth> values(T scale) {
  pyk::lane<T, kWidth> x;
  for (int k = 0; k < kWidth; ++k) x[k] = scale * T(k - 20) / T(37);
  return x;
}

template <class T>
bool is_near(T got, T expected) {
  if (std::isnan(expected) || std::isinf(expected) || expected == 0)
    return std::isnan(expected) ? std::isnan(got) : got == expected;
  return std::fabs(got - expected) <= 4 * std::fabs(expected) * std::numeric_limits<T>::epsilon();
}

template <class T>
bool is_same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class T, class Array, class One>
void check_one(const char* name, Array array, One one) {
  for (const T scale : {T(1), T(20), T(1e9), T(1e30)}) {
    const auto x = values(scale);
    auto y = x, in_place = x;
    array(x, y);
    array(in_place, in_place);
    for (int k = 0; k < kWidth; ++k) {
      CAPTURE(name);
      CAPTURE(x[k]);
      CHECK(is_near(y[k], one(x[k])));
      CHECK((y[k] == in_place[k] || std::isnan(y[k])));
    }
  }
}

template <class T, class Array, class One>
void check_two(const char* name, Array array, One one) {
  const auto a = values(T(3)), b = values(T(-2));
  auto y = a;
  array(a, b, y);
  for (int k = 0; k < kWidth; ++k) {
    CAPTURE(name);
    CAPTURE(a[k]);
    CHECK(is_near(y[k], one(a[k], b[k])));
  }
}

template <class T>
void check_all() {
#define PYK_ONE(name)                                                \
  check_one<T>(                                                      \
      #name, [](const auto& x, auto& y) { pyk::lanes::name(x, y); }, \
      [](T x) { return std::name(x); });
#define PYK_TWO(name)                                                                  \
  check_two<T>(                                                                        \
      #name, [](const auto& a, const auto& b, auto& y) { pyk::lanes::name(a, b, y); }, \
      [](T a, T b) { return std::name(a, b); });
#include "pyk/lanes/functions.h"
}

}  // namespace

TEST_CASE("functions of lanes are libm's but for the last bits") {
  check_all<float>();
  check_all<double>();
}

TEST_CASE("one rare angle changes none of the others") {
  pyk::lane<float, 8> x{{1, 2, 1e20f, 3, -1e6f, 4, 5, 6}}, y{};
  pyk::lanes::sin(x, y);
  for (int k = 0; k < 8; ++k) CHECK(std::fabs(y[k] - std::sin(double(x[k]))) < 1e-7);
}

template <class T>
void check_both() {
  for (const T scale : {T(1), T(20), T(1e4), T(1e30)}) {
    auto x = values(scale), sine = x, cosine = x, sines = x, cosines = x;
    x[3] = -T(0);
    if (scale > 1e4) x[5] = std::numeric_limits<T>::infinity(), x[6] = -x[5], x[7] = x[5] - x[5];
    pyk::lanes::sin_cos(x, sine, cosine);
    pyk::lanes::sin(x, sines);
    pyk::lanes::cos(x, cosines);
    for (int k = 0; k < kWidth; ++k) {
      CAPTURE(x[k]);
      CHECK(is_same(sine[k], sines[k]));
      CHECK(is_same(cosine[k], cosines[k]));
    }
  }
}

TEST_CASE("sine and cosine of one angle are those of two calls") {
  check_both<float>();
  check_both<double>();
}
