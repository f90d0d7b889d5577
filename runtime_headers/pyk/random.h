// random and numpy.random on the host: scalars from the thread's own stream.
//
// Each thread has two streams, Python's and NumPy's. Unseeded: eight lanes of xoshiro256++
// (Blackman, Vigna) fill a block of words at once; a call takes the next word. After seed(n): the
// Mersenne Twister stream of Numba (NumPy's legacy generator), value for value. Distributions use
// Numba's formulas, so seeded results agree. Nothing raises: an empty range gives its start. Tested
// by tests/unit/runtime/random_test.cpp.
#pragma once

#include <chrono>
#include <cstdlib>

#include "pyk/bits.h"
#include "pyk/core.h"
#include "pyk/lanes/bits.h"
#include "pyk/lanes/lane.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

#define PYK_HOST [[maybe_unused]] static inline

namespace pyk::random_detail {

constexpr int kLanes = 8, kBlock = 512;

struct engine {
  uint64_t state[4][kLanes];  // xoshiro256++
  uint64_t block[kBlock];
  uint32_t twister[624];  // MT19937, once seeded
  int index;              // of the word behind those that made the block
  int ahead;              // doubles that the next block is of: few, where whole numbers are drawn
  bool seeded;
  bool has_gauss;
  double gauss;
};

// What a call touches: three words of thread-local memory.
struct stream {
  const uint64_t* next;
  const uint64_t* end;
  engine* generator;
};

// GCC 12's sanitizers take an address of this model for null.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define PYK_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define PYK_FAST_TLS
#endif
PYK_FAST_TLS inline PYK_HIDDEN thread_local stream streams[2] = {};
constexpr int kPython = 0, kNumpy = 1;

struct cleanup {
  ~cleanup() {
    for (stream& s : streams) {
      std::free(s.generator);
      s = {};
    }
  }
};

PYK_HOST uint64_t entropy() {
  uint64_t word = 0;
#if defined(__unix__) || defined(__APPLE__)
  if (::getentropy(&word, sizeof word) == 0) return word;
#endif
  const auto now = std::chrono::high_resolution_clock::now().time_since_epoch().count();
  return uint64_t(now) * 0x9e3779b97f4a7c15u ^ reinterpret_cast<uintptr_t>(&streams);
}

// SplitMix64: spreads one seed over the state.
PYK_HOST uint64_t splitmix(uint64_t& seed) {
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

[[maybe_unused]] PYK_NOINLINE static engine* start(stream& s) {
  static thread_local cleanup at_thread_exit;
  (void)&at_thread_exit;
  s.generator = static_cast<engine*>(std::calloc(1, sizeof(engine)));
  if (!s.generator) std::abort();
  for (int lane = 0; lane < kLanes; ++lane) {
    uint64_t seed = entropy();
    for (auto& words : s.generator->state) words[lane] = splitmix(seed);
  }
  return s.generator;
}

PYK_HOST engine& engine_of(stream& s) { return s.generator ? *s.generator : *start(s); }

PYK_HOST uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

PYK_HOST void fill_block(engine& g) {
  // Of its own: what is stored to the block is known not to be the state.
  lane<uint64_t, kLanes> a, b, c, d;
  for (int k = 0; k < kLanes; ++k) {
    a[k] = g.state[0][k];
    b[k] = g.state[1][k];
    c[k] = g.state[2][k];
    d[k] = g.state[3][k];
  }
  for (int i = 0; i < kBlock; i += kLanes) {
#pragma omp simd
    for (int k = 0; k < kLanes; ++k) {
      g.block[i + k] = rotate(a[k] + d[k], 23) + a[k];
      const uint64_t shifted = b[k] << 17;
      c[k] ^= a[k];
      d[k] ^= b[k];
      b[k] ^= c[k];
      a[k] ^= d[k];
      c[k] ^= shifted;
      d[k] = rotate(d[k], 45);
    }
  }
  for (int k = 0; k < kLanes; ++k) {
    g.state[0][k] = a[k];
    g.state[1][k] = b[k];
    g.state[2][k] = c[k];
    g.state[3][k] = d[k];
  }
}

// The Mersenne Twister's next 624 words. Three loops, so that each is of words that are all there.
[[maybe_unused]] PYK_NOINLINE static void twist_all(engine& g) {
  constexpr int n = 624, m = 397;
  uint32_t* const mt = g.twister;
  const auto word = [mt](int i, int next, int far) {
    const uint32_t y = (mt[i] & 0x80000000u) | (mt[next] & 0x7fffffffu);
    return mt[far] ^ (y >> 1) ^ (0x9908b0dfu & (0u - (y & 1)));
  };
  for (int i = 0; i < n - m; ++i) mt[i] = word(i, i + 1, i + m);
  for (int i = n - m; i < n - 1; ++i) mt[i] = word(i, i + 1, i + m - n);
  mt[n - 1] = word(n - 1, 0, m - 1);
  g.index = 0;
}

PYK_HOST uint32_t tempered(uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

// The next 32 bits of the Mersenne Twister; what is left of a block of doubles is not drawn yet.
PYK_HOST uint32_t twist(stream& s) {
  engine& g = *s.generator;
  if (s.next != s.end) {
    g.index -= 2 * int(s.end - s.next);
    s.next = s.end;
    g.ahead = 1;
  }
  if (g.index >= 624) twist_all(g);
  return tempered(g.twister[g.index++]);
}

// A word whose upper 53 bits are the Twister's next double.
PYK_HOST uint64_t double_word(uint32_t high, uint32_t low) {
  return ((uint64_t(high >> 5) << 26) | (low >> 6)) << 11;
}

// Makes a block of words; seeded, one of the doubles that the Twister's words still make.
[[maybe_unused]] PYK_NOINLINE static void refill(stream& s) {
  engine& g = engine_of(s);
  if (!g.seeded) {
    fill_block(g);
    s.next = g.block;
    s.end = g.block + kBlock;
    return;
  }
  if (g.index >= 624) twist_all(g);
  const int left = (624 - g.index) / 2, count = g.ahead < left ? g.ahead : left;
  if (g.ahead < kBlock) g.ahead *= 2;
  const uint32_t* const words = g.twister + g.index;
  const auto make = [&g, words](int k) {
    g.block[k] = double_word(tempered(words[2 * k]), tempered(words[2 * k + 1]));
  };
  if (count == 1) {  // a loop of vectors begins slowly
    make(0);
  } else {
#pragma omp simd
    for (int k = 0; k < count; ++k) make(k);
  }
  g.index += 2 * count;
  s.next = g.block;
  s.end = g.block + count;
  if (count > 0) return;
  s.next = s.end = nullptr;  // its last word, and the first of the next ones
  const uint32_t high = twist(s), low = twist(s);
  g.block[0] = double_word(high, low);
  s.next = g.block;
  s.end = g.block + 1;
}

template <int which>
PYK_HOST uint64_t next_word() {
  stream& s = streams[which];
  if (s.next == s.end) refill(s);
  return *s.next++;
}

// Uniform in [0, 1): 53 bits.
template <int which>
PYK_HOST double next_double() {
  return double(int64_t(next_word<which>() >> 11)) * 0x1p-53;
}

// `bits` random bits, 1 to 64; Python takes the upper bits of a word, NumPy the lower.
template <int which>
PYK_HOST uint64_t next_bits(int bits) {
  stream& s = streams[which];
  if (!engine_of(s).seeded) return next_word<which>() >> (64 - bits);
  const auto part = [&s](int count) -> uint64_t {
    const uint32_t y = twist(s);
    return which == kPython ? y >> (32 - count) : y & (~uint32_t(0) >> (32 - count));
  };
  if (bits <= 32) return part(bits);
  const uint64_t first = which == kNumpy ? part(bits - 32) : twist(s);
  const uint64_t second = which == kNumpy ? twist(s) : part(bits - 32);
  return which == kNumpy ? first << 32 | second : second << 32 | first;
}

template <int which>
PYK_HOST void seed(int64_t value) {
  stream& s = streams[which];
  engine& g = engine_of(s);
  uint32_t word = uint32_t(value);
  for (int i = 0; i < 624; ++i) {
    g.twister[i] = word;
    word = 1812433253u * (word ^ (word >> 30)) + uint32_t(i) + 1;
  }
  g.index = 624;
  g.ahead = kBlock;
  g.seeded = true;
  g.has_gauss = false;
  s.next = s.end = nullptr;
}

// Of as many lanes: seeded, in their order.
template <int which, int W>
PYK_HOST void next_doubles(lane<double, W>& x) {
  stream& s = streams[which];
  if (s.end - s.next < W) {
    for (int k = 0; k < W; ++k) x[k] = next_double<which>();
    return;
  }
  if (s.generator->seeded) {
    for (int k = 0; k < W; ++k) x[k] = double(int64_t(s.next[k] >> 11)) * 0x1p-53;
    s.next += W;
    return;
  }
  for (int k = 0; k < W; ++k) {  // 52 bits behind 1.
    const uint64_t word = s.next[k] >> 12 | 0x3ff0000000000000u;
    x[k] = lanes::detail::bits_as<double>(word) - 1.0;
  }
  s.next += W;
}

// start, start + step, … below stop
template <int which>
PYK_HOST int64_t range(int64_t start, int64_t stop, int64_t step) {
  if (step == 0) return start;
  const int64_t span = sub(stop, start);
  const int64_t n = step == 1  ? span
                    : step > 0 ? (span + step - 1) / step
                               : (span + step + 1) / step;
  if (n <= 0) return start;
  if (which == kNumpy && n == 1) return start;
  const int bits = int(bit_length(which == kNumpy ? n - 1 : n));
  if (!engine_of(streams[which]).seeded && bits <= 32) {  // a multiplication instead of a loop
    return start + int64_t(((next_word<which>() >> 32) * uint64_t(n)) >> 32) * step;
  }
  int64_t value = int64_t(next_bits<which>(bits));
  while (value >= n) value = int64_t(next_bits<which>(bits));
  return start + value * step;
}

// The polar method; makes two, keeps one.
template <int which>
[[maybe_unused]] PYK_NOINLINE static double gauss() {
  engine& g = engine_of(streams[which]);
  if (g.has_gauss) {
    g.has_gauss = false;
    return g.gauss;
  }
  double x, y, size;
  do {
    x = 2.0 * next_double<which>() - 1.0;
    y = 2.0 * next_double<which>() - 1.0;
    size = x * x + y * y;
  } while (size >= 1.0 || size == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(size) / size);
  g.gauss = scale * x;
  g.has_gauss = true;
  return scale * y;
}

template <int which>
PYK_HOST double exponential() {
  return -std::log(1.0 - next_double<which>());
}

// Cheng (1977) above 1, Ahrens and Dieter's GS below.
template <int which>
[[maybe_unused]] PYK_NOINLINE static double gamma(double alpha) {
  if (!(alpha > 0)) return not_a_number<double>;
  if (alpha == 1.0) return exponential<which>();
  if (alpha > 1.0) {
    const double root = std::sqrt(2.0 * alpha - 1.0);
    const double b = alpha - std::log(4.0), c = alpha + root;
    while (true) {
      const double u = next_double<which>();
      if (!(1e-7 < u && u < .9999999)) continue;
      const double w = 1.0 - next_double<which>();
      const double v = std::log(u / (1.0 - u)) / root, x = alpha * std::exp(v);
      const double z = u * u * w, r = b + c * v - x;
      if (r + (1.0 + std::log(4.5)) - 4.5 * z >= 0.0 || r >= std::log(z)) return x;
    }
  }
  constexpr double e = 2.718281828459045;
  while (true) {
    const double b = (e + alpha) / e, p = b * next_double<which>();
    const double x = p <= 1.0 ? std::pow(p, 1.0 / alpha) : -std::log((b - p) / alpha);
    const double u = next_double<which>();
    if (p > 1.0 ? u <= std::pow(x, alpha - 1.0) : u <= std::exp(-x)) return x;
  }
}

template <int which>
PYK_HOST double beta(double a, double b) {
  const double y = gamma<which>(a);
  return y == 0.0 ? 0.0 : y / (y + gamma<which>(b));
}

template <int which>
PYK_HOST double triangular(double low, double high, double mode) {
  if (high == low) return low;
  double u = next_double<which>(), c = (mode - low) / (high - low);
  if (u > c) {
    u = 1.0 - u;
    c = 1.0 - c;
    const double other = low;
    low = high;
    high = other;
  }
  return low + (high - low) * std::sqrt(u * c);
}

// Knuth below 10, Hörmann's PTRS from there on.
[[maybe_unused]] PYK_NOINLINE static int64_t poisson(double mean) {
  if (!(mean > 0)) return 0;
  if (mean < 10) {
    const double limit = std::exp(-mean);
    double product = next_double<kNumpy>();
    int64_t count = 0;
    for (; product > limit; product *= next_double<kNumpy>()) ++count;
    return count;
  }
  const double root = std::sqrt(mean), log_mean = std::log(mean);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = next_double<kNumpy>() - 0.5, v = next_double<kNumpy>();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= vr) return int64_t(k);
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double left = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    if (left <= -mean + k * log_mean - std::lgamma(k + 1)) return int64_t(k);
  }
}

[[maybe_unused]] PYK_NOINLINE static int64_t geometric(double p) {
  if (!(p > 0 && p <= 1)) return 0;
  const double q = 1.0 - p;
  if (p < 0.333333333333333333333333) {
    return convert<int64_t>(std::ceil(std::log(1.0 - next_double<kNumpy>()) / std::log(q)));
  }
  const double u = next_double<kNumpy>();
  int64_t count = 1;
  double sum = p, product = p;
  for (; u > sum; ++count) sum += product *= q;
  return count;
}

}  // namespace pyk::random_detail

namespace pyk::lanes {

// Are this thread's random numbers nobody's to foresee, in whatever order they are drawn?
PYK_HOST bool unseeded() {
  const auto seeded = [](const random_detail::stream& s) {
    return s.generator && s.generator->seeded;
  };
  return !seeded(random_detail::streams[0]) && !seeded(random_detail::streams[1]);
}

}  // namespace pyk::lanes

namespace pyk::random {

namespace detail = random_detail;
constexpr int own = detail::kPython;

PYK_HOST void seed(int64_t value) { detail::seed<own>(value); }
PYK_HOST double random() { return detail::next_double<own>(); }
template <int W>
PYK_HOST void random(lane<double, W>& x) {
  detail::next_doubles<own>(x);
}
PYK_HOST double uniform(double a, double b) { return a + (b - a) * random(); }
PYK_HOST int64_t randrange(int64_t start, int64_t stop, int64_t step = 1) {
  return detail::range<own>(start, stop, step);
}
PYK_HOST int64_t randrange(int64_t stop) { return randrange(0, stop); }
PYK_HOST int64_t randint(int64_t a, int64_t b) { return randrange(a, add(b, int64_t(1))); }
PYK_HOST uint64_t getrandbits(int64_t k) {
  return k < 1 ? 0 : detail::next_bits<own>(k > 64 ? 64 : int(k));
}
PYK_HOST double gauss(double mu = 0, double sigma = 1) { return mu + sigma * detail::gauss<own>(); }
PYK_HOST double normalvariate(double mu = 0, double sigma = 1) { return gauss(mu, sigma); }
PYK_HOST double lognormvariate(double mu, double sigma) { return std::exp(gauss(mu, sigma)); }
PYK_HOST double expovariate(double rate = 1) { return detail::exponential<own>() / rate; }
PYK_HOST double gammavariate(double alpha, double beta) { return detail::gamma<own>(alpha) * beta; }
PYK_HOST double betavariate(double a, double b) { return detail::beta<own>(a, b); }
PYK_HOST double paretovariate(double alpha) { return 1.0 / std::pow(1.0 - random(), 1.0 / alpha); }
PYK_HOST double weibullvariate(double alpha, double beta) {
  return alpha * std::pow(-std::log(1.0 - random()), 1.0 / beta);
}
PYK_HOST double triangular(double low, double high, double mode) {
  return detail::triangular<own>(low, high, mode);
}
PYK_HOST double triangular(double low, double high) {
  const double u = random();
  return u > 0.5 ? high + (low - high) * std::sqrt((1.0 - u) * 0.5)
                 : low + (high - low) * std::sqrt(u * 0.5);
}

}  // namespace pyk::random

namespace pyk::np::random {

namespace detail = random_detail;
constexpr int own = detail::kNumpy;

PYK_HOST void seed(int64_t value) { detail::seed<own>(value); }
PYK_HOST double random() { return detail::next_double<own>(); }
PYK_HOST double rand() { return random(); }
template <int W>
PYK_HOST void random(lane<double, W>& x) {
  detail::next_doubles<own>(x);
}
template <int W>
PYK_HOST void rand(lane<double, W>& x) {
  random(x);
}
PYK_HOST double uniform(double low = 0, double high = 1) { return low + (high - low) * random(); }
PYK_HOST int64_t randint(int64_t low, int64_t high) { return detail::range<own>(low, high, 1); }
PYK_HOST int64_t randint(int64_t high) { return randint(0, high); }
PYK_HOST double standard_normal() { return detail::gauss<own>(); }
PYK_HOST double randn() { return standard_normal(); }
PYK_HOST double normal(double mean = 0, double scale = 1) { return mean + scale * randn(); }
PYK_HOST double lognormal(double mean = 0, double scale = 1) {
  return std::exp(normal(mean, scale));
}
PYK_HOST double standard_exponential() { return detail::exponential<own>(); }
PYK_HOST double exponential(double scale = 1) { return standard_exponential() * scale; }
PYK_HOST double standard_gamma(double shape) { return detail::gamma<own>(shape); }
PYK_HOST double gamma(double shape, double scale = 1) { return standard_gamma(shape) * scale; }
PYK_HOST double beta(double a, double b) { return detail::beta<own>(a, b); }
PYK_HOST double chisquare(double freedom) { return 2.0 * standard_gamma(freedom / 2.0); }
PYK_HOST double standard_cauchy() {
  const double above = standard_normal();
  return above / standard_normal();
}
PYK_HOST double standard_t(double freedom) {
  const double n = standard_normal();
  return std::sqrt(freedom / 2.0) * n / std::sqrt(standard_gamma(freedom / 2.0));
}
PYK_HOST double gumbel(double loc, double scale) {
  return loc - scale * std::log(-std::log(1.0 - random()));
}
PYK_HOST double laplace(double loc = 0, double scale = 1) {
  const double u = random();
  return u < 0.5 ? loc + scale * std::log(u + u) : loc - scale * std::log(2.0 - u - u);
}
PYK_HOST double logistic(double loc = 0, double scale = 1) {
  const double u = random();
  return loc + scale * std::log(u / (1.0 - u));
}
PYK_HOST double pareto(double a) { return 1.0 / std::pow(1.0 - random(), 1.0 / a) - 1; }
PYK_HOST double power(double a) { return std::pow(1 - std::exp(-standard_exponential()), 1.0 / a); }
PYK_HOST double rayleigh(double scale = 1) {
  return scale * std::sqrt(-2.0 * std::log(1.0 - random()));
}
PYK_HOST double weibull(double a) { return std::pow(standard_exponential(), 1.0 / a); }
PYK_HOST double triangular(double left, double mode, double right) {
  return detail::triangular<own>(left, right, mode);
}
PYK_HOST int64_t poisson(double mean = 1) { return detail::poisson(mean); }
PYK_HOST int64_t geometric(double p) { return detail::geometric(p); }

}  // namespace pyk::np::random
