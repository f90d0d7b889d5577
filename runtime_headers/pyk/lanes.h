// What loops that run in the lanes of vector registers call.
//
//   pyk::lanes::exp(x), …, pyk::lanes::pow(x, y)  float or double, no branch, no table, no call
//   pyk::lanes::floordiv(a, b), convert<uint8_t>(x)
//   pyk::lanes::choose(taken, x, y)               x or y, without a branch
//   pyk::lanes::gang<32>(left, f)                 f(count) for 32 lanes, or for fewer
//   M::exp(x)                                     M is pyk::libm or pyk::lane_math
//   pyk::lanes::given(n == 3, f)                  f(known), once where n is 3, once where it is not
//   pyk::lanes::disjoint(stored, a, b)            no element of `stored` lies in a or b, or twice
//
// The functions are in pyk/lanes/, a file for each kind, with what they lose of accuracy. Where
// libm is called outside such loops, the last bit may differ. Not for -fassociative-math.
// Tested by tests/run/test_lanes.py and tests/fuzz/vector_math.py.
#pragma once

#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "pyk/array.h"
#include "pyk/core.h"
#include "pyk/lanes/arrays.h"
#include "pyk/lanes/complex.h"
#include "pyk/lanes/integers.h"

namespace pyk::lanes {

namespace detail {

struct span_of {
  const char *first, *last;
};

template <class T, int N, class L>
PYK_FN span_of memory_of(array<T, N, L> a) {
  const char *first = reinterpret_cast<const char*>(a.data), *last = first;
  bool empty = false;
  for (int k = 0; k < N; ++k) {
    const int64_t reach = (a.shape(k) - 1) * a.stride(k);
    (reach < 0 ? first : last) += reach;
    empty = empty || a.shape(k) == 0;
  }
  return empty ? span_of{nullptr, nullptr} : span_of{first, last + sizeof(T)};
}

// Do no two subscripts of the array name one element? Each axis, from the one that moves least on,
// steps over all that those before it reach.
template <class T, int N, class L>
PYK_FN bool is_spread(array<T, N, L> a) {
  int64_t reach = sizeof(T);
  bool done[N] = {};
  for (int turn = 0; turn < N; ++turn) {
    int least = -1;
    for (int k = 0; k < N; ++k)
      if (!done[k] && (least < 0 || std::abs(a.stride(k)) < std::abs(a.stride(least)))) least = k;
    done[least] = true;
    if (a.shape(least) < 2) continue;
    const int64_t step = std::abs(a.stride(least));
    if (step < reach) return false;
    reach += step * (a.shape(least) - 1);
  }
  return true;
}
template <class T, int N>
PYK_FN bool is_spread(array<T, N, C>) {
  return true;
}

}  // namespace detail

// Of `stored` no two elements are one, and none lies in another array. Conservative: two views that
// interleave in one buffer count as overlapping.
template <class A, class... Others>
PYK_FN bool disjoint(const A& stored, const Others&... others) {
  if (!detail::is_spread(stored)) return false;
  [[maybe_unused]] const detail::span_of own = detail::memory_of(stored);
  [[maybe_unused]] const auto apart = [&](const detail::span_of& other) {
    return own.last <= other.first || other.last <= own.first;
  };
  return (apart(detail::memory_of(others)) && ...);
}

// Of two numbers any bit: zeros with other signs differ, equal NaNs do not.
template <class T>
PYK_INLINE bool differs(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) != 0;
}

// What has been asked before: C++ compilers make use of it.
PYK_INLINE void assume(bool known) {
  if (!known) __builtin_unreachable();
}

// f(known), which is a constant: compiled where the condition holds, and where it does not. The old
// x86-64-v2 has no permutations that would make use of it.
template <class F>
PYK_INLINE void given([[maybe_unused]] bool holds, const F& f) {
#if !defined(__x86_64__) || defined(__AVX2__)
  if (holds) return f(std::true_type{});
#endif
  f(std::false_type{});
}

// f(count) of the lanes that are left, of which W are a gang: a constant where it is whole, so that
// what f computes for its lanes stays in registers.
template <int W, class F>
PYK_INLINE void gang(int64_t left, const F& f) {
  if (left >= W)
    f(std::integral_constant<int32_t, W>{});
  else
    f(static_cast<int32_t>(left));
}

namespace detail {

template <class T, bool = is_float<T>>
struct bits_in {
  using type = typename std::make_unsigned<T>::type;
};
template <class T>
struct bits_in<T, true> {
  using type = bits_of<T>;
};

}  // namespace detail

// yes or no, of which both are computed, by their bits: of what chooses by several conditions g++
// makes ways that part, where it is left to it. Of the type of `no`.
template <class A, class T>
PYK_INLINE T choose(bool condition, A yes, T no) {
  using bits = typename detail::bits_in<T>::type;
  const bits all = bits(0) - bits(condition);
  return detail::bits_as<T>(
      bits((detail::bits_as<bits>(T(yes)) & all) | (detail::bits_as<bits>(no) & bits(~all))));
}

}  // namespace pyk::lanes

namespace pyk {

// The two forms of what has one in lanes: arguments of functions whose text serves both.
struct libm {
#define PYK_ONE(name)      \
  template <class T>       \
  PYK_INLINE T name(T x) { \
    return std::name(x);   \
  }
#define PYK_TWO(name)           \
  template <class T>            \
  PYK_INLINE T name(T a, T b) { \
    return std::name(a, b);     \
  }
#include "pyk/lanes/functions.h"
  template <class A, class B>
  PYK_INLINE common<A, B> floordiv(A a, B b) {
    return pyk::floordiv(a, b);
  }
  template <class A, class B>
  PYK_INLINE common<A, B> mod(A a, B b) {
    return pyk::mod(a, b);
  }
  template <class To, class F>
  PYK_INLINE To convert(F x) {
    return pyk::convert<To>(x);
  }
};
struct lane_math {
#define PYK_ONE(name)      \
  template <class T>       \
  PYK_INLINE T name(T x) { \
    return lanes::name(x); \
  }
#define PYK_TWO(name)           \
  template <class T>            \
  PYK_INLINE T name(T a, T b) { \
    return lanes::name(a, b);   \
  }
#include "pyk/lanes/functions.h"
  template <class A, class B>
  PYK_INLINE common<A, B> floordiv(A a, B b) {
    return lanes::floordiv(a, b);
  }
  template <class A, class B>
  PYK_INLINE common<A, B> mod(A a, B b) {
    return lanes::mod(a, b);
  }
  template <class To, class F>
  PYK_INLINE To convert(F x) {
    return lanes::convert<To>(x);
  }
};

}  // namespace pyk
