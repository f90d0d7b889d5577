// Rows of an array that many load, laid behind one another.
//
//   panel = pyk::lanes::panel(columns, 32, many)     panel(k, lane) is columns(k, lane)
//
// The rows of `columns` are contiguous, and whole elements apart. A copy of at most 4 MiB, `width`
// elements to a row, where many load it and there is memory; else the elements where they are.
// Tested by tests/run/test_panels.py.
#pragma once

#include "pyk/memory.h"

namespace pyk::lanes {

template <class T>
owned<typename std::remove_const<T>::type, 2, C> panel(const array<T, 2, A>& rows, int64_t width,
                                                       bool many) {
  using item = typename std::remove_const<T>::type;
  constexpr int64_t kMost = 4 << 20;
  owned<item, 2, C> made;
  if (many && rows.shape(0) <= kMost / (width * int64_t(sizeof(T))))
    made = empty<item, C>(rows.shape(0), width);
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

}  // namespace pyk::lanes
