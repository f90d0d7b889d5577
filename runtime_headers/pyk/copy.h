// Storing an array into a slice: a[1:] = b[:-1].
//
// In:   the slice as a view, an array of any layout, rank and element type that converts.
// Out:  its elements, as if the array were copied first; NumPy's broadcasting. 0; 1, and nothing
//       done, where the array does not broadcast to the shape; 2 where there is no memory for a
//       copy of an array that shares memory with the slice.
// Tested by tests/run/test_slices.py.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "pyk/array.h"
#include "pyk/complex.h"
#include "pyk/core.h"

namespace pyk {

namespace detail {
// Strides, in bytes, with which `from` runs over the shape of `to`; false where it does not fit.
template <class T, int N, class L, class U, int M, class K>
[[maybe_unused]] static inline bool broadcast(array<T, N, L> to, array<U, M, K> from,
                                              int64_t* strides) {
  for (int k = 0; k < M - N; ++k)
    if (from.shape(k) != 1) return false;
  for (int k = 0; k < N; ++k) {
    const int axis = k + M - N;
    const bool repeats = axis < 0 || (from.shape(axis) == 1 && to.shape(k) != 1);
    if (!repeats && from.shape(axis) != to.shape(k)) return false;
    strides[k] = repeats ? 0 : from.stride(axis);
  }
  return true;
}

template <class T, int N, class L>
[[maybe_unused]] static inline void bounds_of(array<T, N, L> a, const char*& first,
                                              const char*& last) {
  first = last = reinterpret_cast<const char*>(a.data);
  for (int k = 0; k < N; ++k) {
    const int64_t reach = (a.shape(k) - 1) * a.stride(k);
    (reach < 0 ? first : last) += reach;
  }
  last += sizeof(T);
}

template <int Axis, int N, class T, class L, class U>
[[maybe_unused]] static inline void copy_axis(array<T, N, L> to, char* out, const char* in,
                                              const int64_t* strides) {
  const int64_t n = to.shape(Axis), step = to.stride(Axis), in_step = strides[Axis];
  if constexpr (Axis + 1 < N) {
    for (int64_t i = 0; i < n; ++i)
      copy_axis<Axis + 1, N, T, L, U>(to, out + i * step, in + i * in_step, strides);
  } else if (step == int64_t(sizeof(T)) && in_step == int64_t(sizeof(U))) {
    T* const to_row = reinterpret_cast<T*>(out);
    const U* const from_row = reinterpret_cast<const U*>(in);
    for (int64_t i = 0; i < n; ++i) to_row[i] = convert<T>(element_of<const U>::at(from_row + i));
  } else {
    for (int64_t i = 0; i < n; ++i)
      *reinterpret_cast<T*>(out + i * step) =
          convert<T>(element_of<const U>::at(reinterpret_cast<const U*>(in + i * in_step)));
  }
}
}  // namespace detail

// to[...] = from; the types differ as convert() allows.
template <class T, int N, class L, class U, int M, class K>
[[maybe_unused]] static inline int32_t copy(array<T, N, L> to, array<U, M, K> from) {
  int64_t strides[N > 0 ? N : 1] = {};
  if (!detail::broadcast(to, from, strides)) return 1;
  if (to.size() == 0) return 0;
  const char *first, *last, *from_first, *from_last;
  detail::bounds_of(to, first, last);
  detail::bounds_of(from, from_first, from_last);
  char* const out = reinterpret_cast<char*>(to.data);
  const char* in = reinterpret_cast<const char*>(from.data);
  if constexpr (N == 0) {
    *to.data = convert<T>(element_of<const U>::at(from.data));
  } else if (last <= from_first || from_last <= first) {
    detail::copy_axis<0, N, T, L, U>(to, out, in, strides);
  } else {
    using Item = typename std::remove_const<U>::type;
    const std::unique_ptr<Item[]> kept(new (std::nothrow) Item[size_t(from.size())]);
    if (!kept) return 2;
    array<Item, M, C> same{};
    same.data = kept.get();
    for (int k = 0; k < M; ++k) same.extents[k] = from.shape(k);
    copy(same, from);
    copy(to, same);
  }
  return 0;
}

// Do the arrays lie in memory that both may reach?
template <class T, int N, class L, class U, int M, class K>
[[maybe_unused]] static inline bool overlaps(array<T, N, L> a, array<U, M, K> b) {
  if (a.size() == 0 || b.size() == 0) return false;
  const char *first, *last, *other_first, *other_last;
  detail::bounds_of(a, first, last);
  detail::bounds_of(b, other_first, other_last);
  return last > other_first && other_last > first;
}

// Do they, other than element for element?
template <class T, int N, class L, class U, int M, class K>
[[maybe_unused]] static inline bool meets(array<T, N, L> a, array<U, M, K> b) {
  if (!overlaps(a, b)) return false;
  bool same = N == M && sizeof(T) == sizeof(U) &&
              static_cast<const void*>(a.data) == static_cast<const void*>(b.data);
  for (int k = 0; k < (N < M ? N : M); ++k)
    same = same && a.shape(k) == b.shape(k) && a.stride(k) == b.stride(k);
  return !same;
}

}  // namespace pyk
