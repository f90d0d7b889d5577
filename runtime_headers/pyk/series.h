// Arrays that functions fill: arange, linspace, cumsum, cumprod, sort, argsort.
//
//   pyk::np::arange(to, 0.0, 0.5)   pyk::np::cumsum(to, a)   pyk::np::sort(to)
//
// The first argument is written, of layout C and of the size that the function needs. Values are
// Numba's: item i of a range is start + i * step. NaN is sorted to the end; argsort keeps the order
// of equal elements.
// Tested by tests/run/test_reductions.py.
#pragma once

#include <algorithm>

#include "pyk/reduce.h"

namespace pyk::np {

// How many items start, start + step, ... has before stop, of quotient = (stop - start) / step.
PYK_FN int64_t range_size(double quotient) {
  const double count = std::ceil(quotient);
  return count > 0 ? (count < 9.2e18 ? int64_t(count) : INT64_MAX) : 0;
}

template <class T, class Start, class Step>
PYK_FN void arange(array<T, 1, C> to, Start start, Step step) {
  for (int64_t i = 0, n = to.shape(0); i < n; ++i) to(i) = T(pyk::add(start, pyk::mul(i, step)));
}

template <class T>
PYK_FN void linspace(array<T, 1, C> to, T start, T stop) {
  const int64_t n = to.shape(0);
  if (n == 0) return;
  to(0) = start;
  if (n == 1) return;
  const T step = (stop - start) / T(double(n - 1));
  for (int64_t i = 0; i < n; ++i) to(i) = start + T(double(i)) * step;
  to(n - 1) = stop;
}

namespace detail {

// to[k] = f(to[k - 1], element k), of `start` for the first.
template <class T, class Array, class Function>
PYK_FN void accumulate(array<T, 1, C> to, const Array& a, T start, Function f) {
  T* out = to.data;
  walk(a, [&](const auto& x) {
    *out++ = start = f(start, T(x));
    return true;
  });
}

}  // namespace detail

template <class T, class Array>
PYK_FN void cumsum(array<T, 1, C> to, const Array& a) {
  detail::accumulate(to, a, T(0), [](T total, T x) { return T(pyk::add(total, x)); });
}

template <class T, class Array>
PYK_FN void cumprod(array<T, 1, C> to, const Array& a) {
  detail::accumulate(to, a, T(1), [](T product, T x) { return T(pyk::mul(product, x)); });
}

namespace detail {
struct ascending {
  template <class T>
  PYK_HD bool operator()(const T& x, const T& y) const {
    return x < y || (is_nan(y) && !is_nan(x));
  }
};
}  // namespace detail

template <class T, class L, class I>
PYK_FN void sort(array<T, 1, L, I> to) {
  std::sort(to.data, to.data + to.shape(0), detail::ascending());
}

template <class Array>
PYK_FN void argsort(array<int64_t, 1, C> to, const Array& a) {
  for (int64_t i = 0, n = to.shape(0); i < n; ++i) to(i) = i;
  std::stable_sort(to.begin(), to.end(),
                   [&](int64_t i, int64_t k) { return detail::ascending()(a(i), a(k)); });
}

}  // namespace pyk::np
