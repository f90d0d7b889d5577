// numba.cuda's scalar intrinsics, on the device and on the host: pyk::cuda::popc(x).
//
// popc, clz: the argument's own type and width. ffs: 1-based, 0 of 0. brev: bits in reverse.
// Tested by tests/builtins/cuda.cases.
#pragma once

#include "pyk/bits.h"
#include "pyk/math.h"

namespace pyk::cuda {

using math::cbrt;
using math::fma;

template <class T>
PYK_FN constexpr T popc(T x) {
  return T(bit_count(x));
}

// Zeros above the highest one; the width of T for 0.
template <class T>
PYK_FN constexpr T clz(T x) {
  return T(int(sizeof(T) * 8) - bit_length(x));
}

// The position of the lowest one, counted from 1; 0 of 0.
template <class T>
PYK_FN uint32_t ffs(T x) {
  return x == 0 ? 0u : uint32_t(math::detail::trailing_zeros(uint64_t(x))) + 1;
}

// Of an int64 its low 32 bits: the first of the types that Numba has it for.
template <class T>
PYK_FN constexpr auto brev(T x) {
  using U = std::conditional_t<std::is_same_v<T, int64_t>, uint32_t, wrapping<T>>;
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
