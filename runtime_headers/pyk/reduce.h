// Functions of whole arrays: sum, prod, mean, min, max, any, all, argmin, argmax, searchsorted.
//
//   pyk::np::sum<double>(a)   pyk::np::argmin(a)   pyk::np::searchsorted<double>(a, v, false)
//
// Elements come in C order, those of layout F in the order of memory where only a sum depends on
// it, as under Numba. Sums of integers wrap. A NaN is the least and the greatest of floats.
// What has no value for an empty array is called for arrays with elements only.
// Tested by tests/run/test_reductions.py.
#pragma once

#include <type_traits>
#include <utility>

#include "pyk/array.h"
#include "pyk/complex.h"
#include "pyk/core.h"

namespace pyk::np {

namespace detail {

template <class T, int N, class L, class I>
typename std::remove_const<T>::type element_in(const array<T, N, L, I>&);
template <class Array>
using element_of = decltype(element_in(std::declval<const Array&>()));

// f(element) for all, the last axis fastest, until f says false.
template <int Axis, class T, int N, class L, class I, class Function>
PYK_FN bool walk_axis(const array<T, N, L, I>& a, byte_of<T>* at, Function& f) {
  if constexpr (Axis == N) {
    return f(*reinterpret_cast<T*>(at));
  } else {
    const int64_t n = a.shape(Axis), step = a.stride(Axis);
    for (int64_t i = 0; i < n; ++i, at += step)
      if (!walk_axis<Axis + 1>(a, at, f)) return false;
    return true;
  }
}
template <class T, int N, class L, class I, class Function>
PYK_FN bool walk(const array<T, N, L, I>& a, Function f) {
  return walk_axis<0>(a, reinterpret_cast<byte_of<T>*>(a.data), f);
}

// start = f(start, element) for all.
template <class R, class T, int N, class L, class I, class Function>
PYK_FN R fold(const array<T, N, L, I>& a, R start, Function f) {
  if constexpr (std::is_same<L, A>::value) {
    walk(a, [&](const T& x) {
      start = f(start, x);
      return true;
    });
  } else {
    const T* const first = a.data;
    for (int64_t i = 0, n = a.size(); i < n; ++i) start = f(start, first[i]);
  }
  return start;
}

using pyk::detail::is_nan;
using pyk::detail::less;

// The first element that is before all others, or the first NaN of floats; and its number. Of
// complex numbers a NaN is before nothing, and nothing before it.
template <class T>
struct extreme {
  T value;
  int64_t index;
};
template <class Array, class Before>
PYK_FN auto find_extreme(const Array& a, Before before) {
  using T = element_of<Array>;
  extreme<T> found{};
  int64_t index = 0;
  walk(a, [&](const T& x) {
    const bool is_last = !is_complex<T> && is_nan(x);
    if (index == 0 || is_last || before(x, found.value)) found = {x, index};
    ++index;
    return !is_last;
  });
  return found;
}
template <class Array>
PYK_FN auto find_least(const Array& a) {
  return find_extreme(a, [](auto x, auto y) { return less(x, y); });
}
template <class Array>
PYK_FN auto find_greatest(const Array& a) {
  return find_extreme(a, [](auto x, auto y) { return less(y, x); });
}

}  // namespace detail

template <class R, class Array>
PYK_FN R sum(const Array& a) {
  return detail::fold(a, R(0), [](R total, const auto& x) { return R(add(total, R(x))); });
}

template <class R, class Array>
PYK_FN R prod(const Array& a) {
  return detail::fold(a, R(1), [](R product, const auto& x) { return R(mul(product, R(x))); });
}

// NaN for an empty array.
template <class R, class Array>
PYK_FN R mean(const Array& a) {
  const R total = sum<R>(a);
  const auto count = double(a.size());
  if constexpr (is_complex<R>) {
    using Part = decltype(total.re);
    if (count == 0) return R(not_a_number<Part>, not_a_number<Part>);
    return R(Part(double(total.re) / count), Part(double(total.im) / count));
  } else {
    return R(double(total) / count);
  }
}

template <class Array>
PYK_FN auto min(const Array& a) {
  return detail::find_least(a).value;
}

template <class Array>
PYK_FN auto max(const Array& a) {
  return detail::find_greatest(a).value;
}

template <class Array>
PYK_FN int64_t argmin(const Array& a) {
  return detail::find_least(a).index;
}

template <class Array>
PYK_FN int64_t argmax(const Array& a) {
  return detail::find_greatest(a).index;
}

template <class Array>
PYK_FN bool any(const Array& a) {
  using T = detail::element_of<Array>;
  return !detail::walk(a, [](const T& x) { return x == T(0); });
}

template <class Array>
PYK_FN bool all(const Array& a) {
  using T = detail::element_of<Array>;
  return detail::walk(a, [](const T& x) { return x != T(0); });
}

// ---- searches ----------------------------------------------------------------------------------

// Where v belongs in the sorted array: before what equals it, or after (`right`). NaN comes last.
template <class T, class Array>
PYK_FN int64_t searchsorted(const Array& a, T v, bool right) {
  int64_t low = 0, high = a.shape(0);
  while (low < high) {
    const int64_t middle = low + ((high - low) >> 1);
    const T x = T(a(middle));
    const bool is_before =
        right ? x <= v || detail::is_nan(v) : x < v || (detail::is_nan(v) && !detail::is_nan(x));
    if (is_before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The same for each element of `values`; `to` has their shape.
template <class T, class Out, class Array, class Values>
PYK_FN void searchsorted_all(const Out& to, const Array& a, const Values& values, bool right) {
  int64_t* out = to.data;
  detail::walk(values, [&](const auto& v) {
    *out++ = searchsorted<T>(a, T(v), right);
    return true;
  });
}

}  // namespace pyk::np
