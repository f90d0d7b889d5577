// Rows of an array that many load, laid behind one another.
//
//   panel = pyk::lanes::panel(columns, 32, many)     panel(k, lane) is columns(k, lane)
//
// The rows of `columns` are contiguous, and whole elements apart. A copy of at most 4 MiB, `width`
// elements to a row, where many load it and there is memory; else the elements where they are.
//
//   panel = pyk::lanes::panel_across(rows, 32, many)   panel(k, lane) is rows(lane, k)
//
// Likewise of rows that lie anyhow; without a copy it has no rows: nothing else can be read so.
// Tested by tests/run/test_panels.py.
#pragma once

#include "pyk/memory.h"

namespace pyk::lanes {

namespace detail {

// Uninitialized; invalid where there would be too many.
template <class T>
owned<T, 2, C> panel_of(int64_t rows, int64_t width, bool many) {
  constexpr int64_t kMost = 4 << 20;  // bytes
  if (!many || rows > kMost / (width * int64_t(sizeof(T)))) return {};
  return empty<T, C>(rows, width);
}

}  // namespace detail

template <class T>
owned<typename std::remove_const<T>::type, 2, C> panel(array<T, 2, A> rows, int64_t width,
                                                       bool many) {
  using item = typename std::remove_const<T>::type;
  auto made = detail::panel_of<item>(rows.shape(0), width, many);
  if (!made.is_valid()) {
    made.data = const_cast<item*>(rows.data);
    made.extents[0] = rows.shape(0);
    made.extents[1] = rows.stride(0) / int64_t(sizeof(T));
    return made;
  }
  const int64_t count = rows.shape(1);
  for (int64_t k = 0; k < rows.shape(0); ++k) {
    const T* from = &rows(k, 0);
    item* to = &made(k, 0);
#pragma omp simd
    for (int64_t lane = 0; lane < count; ++lane) to[lane] = from[lane];
  }
  return made;
}

template <class T>
owned<typename std::remove_const<T>::type, 2, C> panel_across(array<T, 2, A> rows, int64_t width,
                                                              bool many) {
  using item = typename std::remove_const<T>::type;
  constexpr int64_t kSome = 32;  // elements of a row: what is written of them stays in a cache
  const int64_t count = rows.shape(0), length = rows.shape(1);
  auto made = detail::panel_of<item>(length, width, many);
  if (!made.is_valid()) return {};
  for (int64_t first = 0; first < length; first += kSome) {
    const int64_t last = length - first < kSome ? length : first + kSome;
    for (int64_t lane = 0; lane < count; ++lane)
      for (int64_t k = first; k < last; ++k) made(k, lane) = rows(lane, k);
  }
  return made;
}

}  // namespace pyk::lanes
