// pyk/random.h: seeded streams are NumPy's and Numba's, unseeded ones are uniform and per thread.
#include "pyk/random.h"

#include <doctest/doctest.h>

#include <thread>

namespace {

TEST_CASE("a seeded stream is the Mersenne Twister's, value for value") {
  pyk::np::random::seed(42);  // numpy.random.seed(42)
  CHECK(pyk::np::random::random() == 0.3745401188473625);
  CHECK(pyk::np::random::random() == 0.9507143064099162);
  pyk::np::random::seed(42);
  CHECK(pyk::np::random::randn() == doctest::Approx(0.4967141530112327).epsilon(1e-15));
  CHECK(pyk::np::random::randn() == doctest::Approx(-0.13826430117118466).epsilon(1e-15));
  pyk::random::seed(42);
  CHECK(pyk::random::random() == 0.3745401188473625);
}

// In a thread of its own: the tests above have seeded this one.
template <class Body>
void unseeded(Body body) {
  std::thread thread(body);
  thread.join();
}

TEST_CASE("unseeded numbers are uniform in [0, 1)") {
  int buckets[16] = {};
  double sum = 0, least = 1, most = 0;
  const int n = 1 << 20;
  unseeded([&] {
    for (int i = 0; i < n; ++i) {
      const double x = pyk::random::random();
      sum += x;
      least = x < least ? x : least;
      most = x > most ? x : most;
      ++buckets[int(x * 16)];
    }
  });
  CHECK(least >= 0);
  CHECK(most < 1);
  CHECK(std::fabs(sum / n - 0.5) < 0.003);
  double chi = 0;
  for (const int count : buckets) chi += std::pow(count - n / 16.0, 2) / (n / 16.0);
  CHECK(chi < 60);  // 15 degrees of freedom: exceeded once in three million runs
}

TEST_CASE("ranges hold their ends, distributions their moments") {
  unseeded([] {
    bool low = false, high = false;
    double mean = 0, variance = 0;
    for (int i = 0; i < 100000; ++i) {
      const int64_t k = pyk::random::randint(-2, 3);
      CHECK((k >= -2 && k <= 3));
      low |= k == -2;
      high |= k == 3;
      const double x = pyk::np::random::normal(1, 2);
      mean += x / 1e5;
      variance += (x - 1) * (x - 1) / 1e5;
    }
    CHECK((low && high));
    CHECK(std::fabs(mean - 1) < 0.05);
    CHECK(std::fabs(variance - 4) < 0.15);
    CHECK(pyk::random::randrange(5, 5) == 5);
    CHECK(pyk::np::random::randint(7, 8) == 7);
  });
}

TEST_CASE("threads do not share a stream") {
  double first = 0, second = 0;
  unseeded([&] { first = pyk::random::random(); });
  unseeded([&] { second = pyk::random::random(); });
  CHECK(first != second);
}

}  // namespace
