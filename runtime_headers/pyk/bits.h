// How many bits of a whole number are set, and how many it needs.
//
// bit_count(x): those set in the two's complement of x, in the width of T: 64 of int64 -1.
// bit_length(x): the place of the highest one, counted from 1; 0 of 0; the width of T below 0.
// Processors without an instruction for it take the arithmetic, which C++ compilers know by sight.
// Tested by tests/run/test_bits.py.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_FN constexpr int64_t bit_count(T x) {
  static_assert(is_integer<T> && !std::is_same<T, bool>::value);
  uint64_t rest = uint64_t(typename std::make_unsigned<T>::type(x));
#if defined(__CUDA_ARCH__)
  return __popcll(rest);
#elif defined(__POPCNT__) || (defined(__GNUC__) && !defined(__x86_64__))
  return __builtin_popcountll(rest);
#else
  rest -= (rest >> 1) & 0x5555555555555555u;
  rest = (rest & 0x3333333333333333u) + ((rest >> 2) & 0x3333333333333333u);
  rest = (rest + (rest >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return int64_t((rest * 0x0101010101010101u) >> 56);
#endif
}

template <class T>
PYK_FN constexpr int64_t bit_length(T x) {
  static_assert(is_integer<T> && !std::is_same<T, bool>::value);
  uint64_t rest = uint64_t(typename std::make_unsigned<T>::type(x));
#if defined(__CUDA_ARCH__)
  return 64 - __clzll(static_cast<long long>(rest));
#elif defined(__GNUC__) || defined(__clang__)
  return rest == 0 ? 0 : 64 - __builtin_clzll(rest);
#else
  int64_t count = 0;
  for (; rest != 0; rest >>= 1) ++count;
  return count;
#endif
}

// The bits of x as a number of another type that is as wide.
template <class To, class From>
PYK_FN To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &x, sizeof to);
  return to;
}

}  // namespace pyk
