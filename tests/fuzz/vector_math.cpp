// Measures pyk/lanes: the worst error of each function, and its time beside libm's.
//
//   vector_math float|double FUNCTION COUNT [SEED]    COUNT random arguments (0: every float)
//   vector_math time                                  ns per element of every function
//
// Compared with libm in the next wider type; prints a line per instruction set, and the argument of
// the worst. Exit status 1 if it is over the limit. tests/fuzz/vector_math.py builds and runs it.
#include "vector_math.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

template <class T>
struct wider_of {
  using type = double;
};
template <>
struct wider_of<double> {
  using type = long double;
};

template <class W>
struct Reference {
  const char* name;
  W (*one)(W);
  W (*two)(W, W);
};

template <class W>
const Reference<W>* references() {
  static const Reference<W> table[] = {
#define PYK_ONE(name) {#name, [](W x) -> W { return std::name(x); }, nullptr},
#define PYK_TWO(name) {#name, nullptr, [](W a, W b) -> W { return std::name(a, b); }},
#include "pyk/lanes/functions.h"
      {nullptr, nullptr, nullptr}};
  return table;
}

bool supports(int set) {
  return set == 0 || (set == 1 && __builtin_cpu_supports("avx2")) ||
         (set == 2 && __builtin_cpu_supports("avx512dq"));
}
constexpr const char* kSets[] = {"plain", "v3", "v4"};
const Kernel* kernels(int set) {
  return set == 0 ? kernels_plain() : set == 1 ? kernels_v3() : kernels_v4();
}

template <class T>
double units(T got, typename wider_of<T>::type exact) {
  const T rounded = T(exact);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : 1e9;
  if (got == 0 && std::signbit(got) != std::signbit(exact)) return 1e9;
  if (got == rounded && (std::isinf(got) || got == 0)) return 0;
  if (got == rounded) return 0.5;  // at most, and as good as can be
  constexpr T most = std::numeric_limits<T>::max();
  const T near = std::fmin(std::fabs(rounded), most);
  const T unit =
      near == most ? near - std::nextafter(near, T(0)) : std::nextafter(near, most) - near;
  if (std::isinf(got) != std::isinf(rounded) && std::fabs(exact) < std::ldexp(most, -1)) return 1e8;
  const typename wider_of<T>::type end =
      std::isinf(got) ? std::copysign(std::ldexp((typename wider_of<T>::type)(1),
                                                 std::numeric_limits<T>::max_exponent),
                                      got)
                      : got;
  const auto off = std::fabs(end - exact) / unit;
  return std::isinf(off) ? 1e8 : double(off);
}

struct Worst {
  double off = 0;
  double a = 0, b = 0, got = 0;
};

template <class T>
struct Run {
  using W = typename wider_of<T>::type;
  const Reference<W>* reference;
  int index;
  Worst worst[3]{};

  void block(const std::vector<T>& a, const std::vector<T>& b) {
    const int n = int(a.size());
    std::vector<T> y(a.size());
    std::vector<W> exact(a.size());
    for (int i = 0; i < n; ++i)
      exact[i] = reference->one ? reference->one(a[i]) : reference->two(a[i], b[i]);
    for (int set = 0; set < 3; ++set) {
      if (!supports(set)) continue;
      const Kernel& k = kernels(set)[index];
      if constexpr (sizeof(T) == 4)
        k.of_float(a.data(), b.data(), y.data(), n);
      else
        k.of_double(a.data(), b.data(), y.data(), n);
      for (int i = 0; i < n; ++i) {
        const double off = units<T>(y[i], exact[i]);
        if (!(off <= worst[set].off)) worst[set] = {off, double(a[i]), double(b[i]), double(y[i])};
      }
    }
  }
};

template <class T>
std::vector<T> specials() {
  using limits = std::numeric_limits<T>;
  std::vector<T> x{0,
                   limits::denorm_min(),
                   limits::min(),
                   limits::max(),
                   limits::infinity(),
                   limits::quiet_NaN(),
                   1,
                   2,
                   3,
                   0.5,
                   1.5,
                   4,
                   1e10,
                   1e30};
  for (T e : {T(0.1), T(0.25), T(0.3), T(5), T(7), T(33), T(103), T(88.7), T(170.6), T(709.7)})
    x.push_back(e);
  for (size_t k = 0, n = x.size(); k < n; ++k) {
    x.push_back(std::nextafter(x[k], T(0)));
    x.push_back(std::nextafter(x[k], limits::infinity()));
  }
  for (size_t k = 0, n = x.size(); k < n; ++k) x.push_back(-x[k]);
  return x;
}

template <class T>
T any(std::mt19937_64& random, bool rare) {
  const auto uniform = [&](double lo, double hi) {
    return lo + (hi - lo) * (double(random() >> 11) * 0x1p-53);
  };
  constexpr int e = std::numeric_limits<T>::max_exponent;
  const double sign = random() & 1 ? -1 : 1;
  switch (random() % 10) {
    case 0:
      return T(sign * std::ldexp(uniform(1, 2), int(uniform(-1.06 * e, rare ? e : 27))));
    case 1:
      return T(sign * std::ldexp(uniform(1, 2), int(uniform(-20, 12))));
    case 2:
      return T(uniform(-1, 1));
    case 3:
      return T(uniform(-4, 4));
    case 4:
      return T(uniform(-30, 30));
    case 5:
      return T(uniform(-e * 0.76, e * 0.76));
    case 6:
      return T(1 + sign * std::ldexp(uniform(1, 2), int(uniform(-40, -2))));
    case 7: {  // around a multiple of pi / 4
      const double n = std::floor(std::exp(uniform(0, 17)));
      T x = T(n * 0.7853981633974483);
      for (int k = int(random() % 4); k-- > 0;) x = std::nextafter(x, T(random() & 1 ? 0 : 1e30));
      return T(sign) * x;
    }
    case 8:
      return T(std::floor(uniform(-200, 200)) * 0.25);
    default:
      return T(uniform(-2000, 2000));
  }
}

template <class T>
int measure(const char* name, long count, unsigned seed) {
  Run<T> run{references<typename wider_of<T>::type>(), 0};
  while (run.reference->name && std::strcmp(run.reference->name, name) != 0)
    ++run.reference, ++run.index;
  if (!run.reference->name) return 2;
  const std::string f = name;
  const bool rare = true;
  std::vector<T> a, b, special = specials<T>();
  for (T x : special) {
    if (!rare && std::fabs(x) > 0x1p27 && std::isfinite(x)) continue;
    for (T y : special) a.push_back(x), b.push_back(y);
  }
  run.block(a, b);
  constexpr long kBlock = 16384;
  if (count == 0) {
    for (uint64_t first = 0; first < (uint64_t(1) << 32); first += kBlock) {
      a.resize(kBlock);
      b.resize(kBlock);
      for (long i = 0; i < kBlock; ++i) {
        const uint32_t bits = uint32_t(first + uint64_t(i));
        float x;
        std::memcpy(&x, &bits, 4);
        a[i] = b[i] = T(x);
      }
      run.block(a, b);
    }
  }
  std::mt19937_64 random(seed);
  for (long done = 0; done < count; done += kBlock) {
    a.resize(kBlock);
    b.resize(kBlock);
    for (long i = 0; i < kBlock; ++i) {
      a[i] = any<T>(random, rare);
      b[i] = any<T>(random, rare);
      if (f == "pow" && random() % 2) {  // results from the least to the largest
        a[i] = std::fabs(a[i]);
        b[i] = T(std::ldexp(double(random() >> 11), -53) * 2.2 - 1.1) *
               T(std::numeric_limits<T>::max_exponent) / std::log2(a[i]);
      }
      if (f == "hypot" || f == "atan2")
        if (random() % 2) b[i] = a[i] * T(std::ldexp(double(random() >> 11), -52));
    }
    run.block(a, b);
  }
  const bool loose = f == "pow" || f == "tgamma" || f == "lgamma" || f == "erfc";
  bool fine = true;
  for (int set = 0; set < 3; ++set) {
    const Worst& w = run.worst[set];
    fine = fine && w.off <= (loose ? 4 : 2);
    std::printf("%-6s %-6s %-5s %8.3f ulp at %a %a (%.9g, %.9g) -> %.17g\n", name,
                sizeof(T) == 4 ? "float" : "double", kSets[set], w.off, w.a, w.b, w.a, w.b, w.got);
  }
  return fine ? 0 : 1;
}

template <class T>
double nanoseconds(void (*loop)(const T*, const T*, T*, int), const std::string& f) {
  constexpr int n = 20000;
  std::vector<T> a(n), b(n), y(n);
  std::mt19937_64 random(1);
  const bool unit = f == "asin" || f == "acos";
  for (int i = 0; i < n; ++i) {
    a[i] = T(std::ldexp(double(random() >> 11), -53)) * T(unit ? 1 : 10);
    b[i] = T(std::ldexp(double(random() >> 11), -53)) * 10;
  }
  double best = 1e9;
  for (int k = 0; k < 60; ++k) {
    const auto start = std::chrono::steady_clock::now();
    loop(a.data(), b.data(), y.data(), n);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::fmin(best, took.count() / n);
  }
  return best;
}

template <class T, int index>
void libm(const T* a, const T* b, T* y, int n) {
  const Reference<T>& r = references<T>()[index];
  for (int i = 0; i < n; ++i) y[i] = r.one ? r.one(a[i]) : r.two(a[i], b[i]);
}

template <int index = 0>
void times(const char* only) {
  const Kernel& plain = kernels_plain()[index];
  if constexpr (index < 40) {
    if (!plain.name) return;
    if (!only || std::strcmp(only, plain.name) == 0) {
      std::printf("%-7s float ", plain.name);
      for (int set = 0; set < 3; ++set)
        if (supports(set))
          std::printf(" %6.2f", nanoseconds<float>(kernels(set)[index].of_float, plain.name));
      std::printf("  libm %6.2f   double ", nanoseconds<float>(libm<float, index>, plain.name));
      for (int set = 0; set < 3; ++set)
        if (supports(set))
          std::printf(" %6.2f", nanoseconds<double>(kernels(set)[index].of_double, plain.name));
      std::printf("  libm %6.2f\n", nanoseconds<double>(libm<double, index>, plain.name));
    }
    times<index + 1>(only);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && !std::strcmp(argv[1], "time")) return times(argc > 2 ? argv[2] : nullptr), 0;
  if (argc < 4) return 2;
  const long count = std::atol(argv[3]);
  const unsigned seed = argc > 4 ? unsigned(std::atoi(argv[4])) : 1;
  return argv[1][0] == 'f' ? measure<float>(argv[2], count, seed)
                           : measure<double>(argv[2], count, seed);
}
