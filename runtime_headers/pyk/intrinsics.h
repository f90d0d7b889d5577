// numba.cuda's scalar intrinsics, on the device and on the host: pyk::cuda::popc(x).
//
// popc, clz: the argument's own type and width. ffs: 1-based, 0 of 0. brev: bits in reverse.
// Tested by tests/builtins/cuda.cases.
#pragma once

#include "pyk/math.h"

namespace pyk::cuda {

using math::cbrt;
using math::fma;

template <class T>
PYK_FN constexpr T popc(T x) {
  using U = typename std::make_unsigned<T>::type;
#if defined(__CUDA_ARCH__)
  return T(__popcll(uint64_t(U(x))));
#else
  uint64_t rest = uint64_t(U(x));
  rest -= (rest >> 1) & 0x5555555555555555u;
  rest = (rest & 0x3333333333333333u) + ((rest >> 2) & 0x3333333333333333u);
  rest = (rest + (rest >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return T((rest * 0x0101010101010101u) >> 56);
#endif
}

// Zeros above the highest one; the width of T for 0.
template <class T>
PYK_FN constexpr T clz(T x) {
  using U = typename std::make_unsigned<T>::type;
#if defined(__CUDA_ARCH__)
  return T(__clzll(static_cast<long long>(uint64_t(U(x)))) - 64 + int(sizeof(T) * 8));
#else
  U rest = U(x);
  int count = int(sizeof(T) * 8);
  for (; rest != 0; rest = U(rest >> 1)) --count;
  return T(count);
#endif
}

// The position of the lowest one, counted from 1; 0 of 0.
template <class T>
PYK_FN uint32_t ffs(T x) {
  return x == 0 ? 0u : uint32_t(math::detail::trailing_zeros(uint64_t(x))) + 1;
}

template <class T>
PYK_FN constexpr auto brev(T x) {
  using U = wrapping<T>;
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(U) == 8) return uint64_t(__brevll(uint64_t(x)));
  return U(__brev(uint32_t(x)));
#else
  U rest = U(x), result = 0;
  for (unsigned i = 0; i < sizeof(U) * 8; ++i, rest >>= 1) result = (result << 1) | (rest & 1);
  return result;
#endif
}

template <class T>
PYK_FN constexpr T selp(bool condition, T yes, T no) {
  return condition ? yes : no;
}

}  // namespace pyk::cuda
