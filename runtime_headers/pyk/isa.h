// Functions that are compiled for several instruction sets, and the choice among them.
//
//   namespace kernels {
//   PYK_EACH_ISA(double total(pyk::array<const double, 1, pyk::C> a) noexcept;)
//   double total(pyk::array<const double, 1, pyk::C> a) noexcept { return PYK_BODY(total)(a); }
//   }
//
// On x86-64 the bodies are in the namespaces `baseline` (x86-64-v2: SSE4.2), `x86_64_v3` (AVX2,
// FMA) and `x86_64_v4` (AVX-512); elsewhere `baseline` is all there is. The choice falls once, when
// the library is loaded: the best that the processor has, or what the environment says:
// PYK2CU_CPU=v2, v3 or v4.
// Tested by tests/run/test_dispatch.py.
#pragma once

#include <cstdlib>
#include <cstring>

#include "pyk/config.h"

#if defined(__x86_64__)
#define PYK_EACH_ISA(...) \
  namespace baseline {    \
  __VA_ARGS__             \
  }                       \
  namespace x86_64_v3 {   \
  __VA_ARGS__             \
  }                       \
  namespace x86_64_v4 {   \
  __VA_ARGS__             \
  }
#define PYK_BODY(...) \
  pyk::body(baseline::__VA_ARGS__, x86_64_v3::__VA_ARGS__, x86_64_v4::__VA_ARGS__)
#else
#define PYK_EACH_ISA(...) \
  namespace baseline {    \
  __VA_ARGS__             \
  }
#define PYK_BODY(...) baseline::__VA_ARGS__
#endif

namespace pyk {

struct processor {
  int level = 0;                  // 2, 3, 4: x86-64-v2 … v4; 0: another architecture
  const char* problem = nullptr;  // why the bodies cannot run here
};

inline processor choose_processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto has_v2 = [] {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  };
  // What no name of a feature asks for in all compilers; <cpuid.h> would claim names.
  const auto flags_of = [](unsigned leaf) {
    unsigned a = leaf, b = 0, c = 0, d = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c;
  };
  const auto has_v3 = [&] {
    constexpr unsigned kMovbe = 1u << 22, kF16c = 1u << 29, kLzcnt = 1u << 5;
    const bool has_all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    return has_all && (flags_of(1) & kMovbe) && (flags_of(1) & kF16c) &&
           (flags_of(0x80000001) & kLzcnt);
  };
  const auto has_v4 = [] {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  };
  if (!has_v2()) return {2, "a processor with SSE4.2 and POPCNT (x86-64-v2)"};
  const int best = !has_v3() ? 2 : !has_v4() ? 3 : 4;
  const char* wanted = std::getenv("PYK2CU_CPU");
  if (!wanted || !*wanted) return {best, nullptr};
  if (wanted[0] != 'v' || std::strlen(wanted) != 2 || wanted[1] < '2' || wanted[1] > '4')
    return {best, "PYK2CU_CPU to be v2, v3 or v4"};
  const int level = wanted[1] - '0';
  if (level > best) return {best, "a processor that has what PYK2CU_CPU asks for"};
  return {level, nullptr};
#else
  return {};
#endif
}

PYK_HIDDEN inline const processor cpu = choose_processor();

// The body for this processor.
template <class F>
PYK_FN F* body(F* baseline, F* v3, F* v4) {
  return cpu.level >= 4 ? v4 : cpu.level == 3 ? v3 : baseline;
}

}  // namespace pyk
