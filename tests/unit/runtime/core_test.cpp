// pyk/core.h on what tables of cases do not reach: random operands, conversions, mixed types.
#include "pyk/core.h"

#include <doctest/doctest.h>

#include <cstring>

namespace {

// A generator of operands that favours the edges: small and extreme exponents, exact multiples.
struct Operands {
  uint64_t state = 88172645463325252u;

  uint64_t word() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  double any() {
    uint64_t bits = word();
    if (word() % 2) bits = (bits & 0x800fffffffffffffu) | ((1003 + word() % 40) << 52);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return word() % 4 ? value : double(int64_t(word() % 2001) - 1000);
  }
};

template <class F>
bool same(F a, F b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST_CASE("fmod is C's, bit for bit") {
  Operands next;
  for (int i = 0; i < 300000; ++i) {
    const double a = next.any(), b = next.any();
    if (!same(pyk::fmod(a, b), std::fmod(a, b))) FAIL("fmod(", a, ", ", b, ")");
    const float x = float(a), y = float(b);
    if (!same(pyk::fmod(x, y), std::fmod(x, y))) FAIL("fmodf(", x, ", ", y, ")");
  }
}

TEST_CASE("floor division and remainder belong together") {
  Operands next;
  for (int i = 0; i < 100000; ++i) {
    const int64_t a = int64_t(next.word() >> next.word() % 60), b = int64_t(next.word() >> 40) - 99;
    if (b == 0) continue;
    const int64_t q = pyk::floordiv(a, b), r = pyk::mod(a, b);
    CHECK_MESSAGE(pyk::add(pyk::mul(q, b), r) == a, a, " ", b);
    CHECK((r == 0 || (r < 0) == (b < 0)));
  }
}

TEST_CASE("floats become integers by truncation and saturation") {
  const double inf = pyk::infinity<double>;
  const struct {
    double from;
    int64_t i64;
    uint64_t u64;
    int32_t i32;
    uint8_t u8;
  } rows[] = {
      {2.9, 2, 2, 2, 2},
      {-2.9, -2, 0, -2, 0},
      {300, 300, 300, 300, 255},
      {1e10, 10000000000, 10000000000u, INT32_MAX, 255},
      {9223372036854775807.0, INT64_MAX, 9223372036854775808u, INT32_MAX, 255},
      {-9223372036854775808.0, INT64_MIN, 0, INT32_MIN, 0},
      {9223372036854774784.0, 9223372036854774784, 9223372036854774784u, INT32_MAX, 255},
      {1e300, INT64_MAX, UINT64_MAX, INT32_MAX, 255},
      {-1e300, INT64_MIN, 0, INT32_MIN, 0},
      {inf, INT64_MAX, UINT64_MAX, INT32_MAX, 255},
      {-inf, INT64_MIN, 0, INT32_MIN, 0},
      {pyk::not_a_number<double>, 0, 0, 0, 0},
  };
  for (const auto& row : rows) {
    CHECK(pyk::convert<int64_t>(row.from) == row.i64);
    CHECK(pyk::convert<uint64_t>(row.from) == row.u64);
    CHECK(pyk::convert<int32_t>(row.from) == row.i32);
    CHECK(pyk::convert<uint8_t>(row.from) == row.u8);
    CHECK(pyk::convert<int32_t>(float(row.from)) == (row.from == 1e10 ? INT32_MAX : row.i32));
    CHECK(pyk::convert<bool>(row.from));
  }
  CHECK(pyk::convert<int8_t>(300) == 44);
  CHECK(pyk::convert<uint8_t>(-1) == 255);
  CHECK(!pyk::convert<bool>(-0.0));
}

TEST_CASE("integers of any width wrap") {
  CHECK(pyk::add(int64_t{INT64_MAX}, 1) == INT64_MIN);
  CHECK(pyk::mul(uint16_t{65535}, uint16_t{65535}) == 1);
  CHECK(pyk::sub(int8_t{-128}, int8_t{1}) == 127);
  CHECK(pyk::neg(int64_t{INT64_MIN}) == INT64_MIN);
  CHECK(pyk::abs(int8_t{-128}) == -128);
  CHECK(pyk::shl(1, 31) == INT32_MIN);
  CHECK(pyk::shl(int64_t{1}, -1) == 0);
  CHECK(pyk::shr(int64_t{-8}, 70) == -1);
}

TEST_CASE("constant powers are products") {
  CHECK(pyk::pow<0>(5) == 1);
  CHECK(pyk::pow<5>(3) == 243);
  CHECK(pyk::pow<3>(1.5) == 3.375);
  CHECK(pyk::pow<-2>(2.0) == 0.25);
  CHECK(pyk::pow<-1>(int64_t{2}) == 0);
  CHECK(pyk::pow<64>(int64_t{2}) == 0);
}

TEST_CASE("mixed arguments meet in their common type") {
  CHECK(std::is_same_v<decltype(pyk::max(int64_t{1}, 2)), int64_t>);
  CHECK(std::is_same_v<decltype(pyk::add(1.0f, 2.0)), double>);
  CHECK(std::is_same_v<decltype(pyk::floordiv(int8_t{1}, int8_t{2})), int8_t>);
  CHECK(std::is_same_v<decltype(pyk::pow(1.0f, int64_t{2})), float>);
  CHECK(std::is_same_v<decltype(pyk::round(1.0f)), int64_t>);
  CHECK(pyk::max(1, 2.5, int8_t{3}) == 3.0);
}

}  // namespace
