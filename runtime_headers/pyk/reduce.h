// Functions of whole arrays: sum, prod, mean, var, min, max, any, all, argmin, argmax, norm,
// count_nonzero, searchsorted, interp, and `in`.
//
//   pyk::np::sum<double>(a)   pyk::np::argmin(a)   pyk::np::searchsorted<double>(a, v, false)
//
// Elements come in C order, those of layout F in the order of memory where only a sum depends on
// it, as under Numba. Sums of integers wrap. A NaN is the least and the greatest of floats.
// What has no value for an empty array is called for arrays with elements only.
// Tested by tests/run/test_reductions.py and tests/run/test_displays.py.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "pyk/array.h"
#include "pyk/choice.h"
#include "pyk/complex.h"
#include "pyk/core.h"
#include "pyk/lanes/lane.h"

namespace pyk::np {

namespace detail {

template <class T, int N, class L, class I>
typename std::remove_const<T>::type element_in(const array<T, N, L, I>&);
template <class Array>
using element_of = decltype(element_in(std::declval<const Array&>()));

// f(element) for all, the last axis fastest, until f says false.
template <int Axis, class T, int N, class L, class I, class Function>
PYK_FN bool walk_axis(array<T, N, L, I> a, byte_of<T>* at, Function& f) {
  if constexpr (Axis == N) {
    return f(pyk::element_of<const T>::at(reinterpret_cast<const T*>(at)));
  } else {
    const int64_t n = a.shape(Axis), step = a.stride(Axis);
    for (int64_t i = 0; i < n; ++i, at += step)
      if (!walk_axis<Axis + 1>(a, at, f)) return false;
    return true;
  }
}
template <class T, int N, class L, class I, class Function>
PYK_FN bool walk(array<T, N, L, I> a, Function f) {
  return walk_axis<0>(a, reinterpret_cast<byte_of<T>*>(a.data), f);
}

// start = f(start, element) for all.
template <class R, class T, int N, class L, class I, class Function>
PYK_FN R fold(array<T, N, L, I> a, R start, Function f) {
  if constexpr (std::is_same<L, A>::value) {
    walk(a, [&](const T& x) {
      start = f(start, x);
      return true;
    });
  } else {
    const T* const first = a.data;
    for (int64_t i = 0, n = a.size(); i < n; ++i)
      start = f(start, pyk::element_of<const T>::at(first + i));
  }
  return start;
}

// Sums of floats and complex numbers, term(element) for all: where there are many, as many side by
// side as fill four vector registers, added in pairs at the end; as emit/lower/totals.cpp writes it
// out. NumPy's own order is none that a program may hang on either. In order under --fp=strict,
// which defines PYK_SUMS_IN_ORDER, and on the device.
template <class R>
constexpr int kPartials = 128 / int(sizeof(R));
#if defined(PYK_SUMS_IN_ORDER) || defined(__CUDACC__)
template <class R>
constexpr bool kInOrder = true;
#else
template <class R>
constexpr bool kInOrder = !std::is_floating_point<R>::value && !is_complex<R>;
#endif

template <class R, class At, class Term>
PYK_FN R added(R start, int64_t n, At at, Term term) {
  constexpr int kLanes = kPartials<R>;
  if (n < 4 * kLanes) {
    for (int64_t i = 0; i < n; ++i) start += term(at(i));
    return start;
  }
  const int64_t whole = n - n % kLanes;
  if constexpr (is_complex<R>) {
    lane<decltype(start.re), kLanes> re{}, im{};
    for (int64_t i = 0; i < whole; i += kLanes)
      _Pragma("omp simd") for (int k = 0; k < kLanes; ++k) {
        const R z = term(at(i + k));
        re.at[k] += z.re;
        im.at[k] += z.im;
      }
    start += R(total(re), total(im));
  } else {
    lane<R, kLanes> parts{};
    for (int64_t i = 0; i < whole; i += kLanes)
      _Pragma("omp simd") for (int k = 0; k < kLanes; ++k) parts.at[k] += term(at(i + k));
    start += total(parts);
  }
  for (int64_t i = whole; i < n; ++i) start += term(at(i));
  return start;
}

template <int Axis, class R, class T, int N, class L, class I, class Term>
PYK_FN R add_axis(array<T, N, L, I> a, byte_of<T>* from, R start, Term& term) {
  const int64_t n = a.shape(Axis), step = a.stride(Axis);
  if constexpr (Axis + 1 < N) {
    for (int64_t i = 0; i < n; ++i, from += step) start = add_axis<Axis + 1>(a, from, start, term);
    return start;
  } else {
    const auto at = [=](int64_t i) {
      return pyk::element_of<const T>::at(reinterpret_cast<const T*>(from + i * step));
    };
    return added(start, n, at, term);
  }
}

template <class R, class T, int N, class L, class I, class Term>
PYK_FN R add_all(array<T, N, L, I> a, R start, Term term) {
  if constexpr (kInOrder<R> || N == 0) {
    return fold(a, start, [&](R total, const auto& x) { return total + term(x); });
  } else if constexpr (std::is_same<L, A>::value) {
    return add_axis<0>(a, reinterpret_cast<byte_of<T>*>(a.data), start, term);
  } else {
    const T* const first = a.data;
    const auto at = [=](int64_t i) { return pyk::element_of<const T>::at(first + i); };
    return added(start, int64_t(a.size()), at, term);
  }
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

// The least, or the greatest, of at least kLanes numbers side by side, each lane its own first.
// False where the order of elements says which it is: of zeros and of NaN.
template <class T>
constexpr int kLanesOfExtreme = 256 / int(sizeof(T));
template <bool kLeast, class T>
PYK_FN bool find_in_lanes(const T* p, int64_t n, T& found) {
  constexpr int kLanes = kLanesOfExtreme<T>;
  using Mask = typename std::conditional<sizeof(T) == 8, int64_t, int32_t>::type;
  T best[kLanes];
  Mask odd[kLanes] = {};
  for (int k = 0; k < kLanes; ++k) best[k] = p[k];
  for (int64_t i = 0; i < n; i += kLanes) {
    const T* const block = p + (i + kLanes <= n ? i : n - kLanes);
    _Pragma("omp simd") for (int k = 0; k < kLanes; ++k) {
      const T x = block[k];
      best[k] = (kLeast ? x < best[k] : x > best[k]) ? x : best[k];
      if constexpr (std::is_floating_point<T>::value) odd[k] |= Mask(x != x);
    }
  }
  join_in_pairs<kLanes>(best, [](T x, T y) { return (kLeast ? y < x : y > x) ? y : x; });
  join_in_pairs<kLanes>(odd, [](Mask x, Mask y) { return Mask(x | y); });
  found = best[0];
  return odd[0] == 0 && (found != T(0) || !std::is_floating_point<T>::value);
}

template <bool kLeast, class T, int N, class L, class I>
PYK_FN auto extreme_of(array<T, N, L, I> a) {
  using V = typename std::remove_const<T>::type;
  constexpr bool kIsPlain = std::is_arithmetic<V>::value && !std::is_same<V, bool>::value;
  if constexpr (kIsPlain && !std::is_same<L, A>::value) {
    V found;
    const int64_t n = a.size();
    const bool several = n >= kLanesOfExtreme<V>;
    if (several && find_in_lanes<kLeast, V>(a.data, n, found)) return found;
  }
  if constexpr (kLeast)
    return find_least(a).value;
  else
    return find_greatest(a).value;
}

// Of a row of numbers with elements, one after the other and without branches that would be missed.
template <bool kLeast, class V, class Row>
PYK_FN int64_t place_in_row(const Row& row) {
  const int64_t n = row.shape(0);
  V best = row(0);
  if (is_nan(best)) return 0;
  int64_t at = 0;
  for (int64_t i = 1; i < n; ++i) {
    const V x = row(i);
    if (is_nan(x)) return i;
    const bool is_better = kLeast ? x < best : x > best;
    best = is_better ? x : best;
    at = choose(is_better, i, at);
  }
  return at;
}

// The number, in C's order, of the first element that is the least, or the greatest: which value
// that is, and then the first block that has it.
template <bool kLeast, class T, int N, class L, class I>
PYK_FN int64_t place_of_extreme(array<T, N, L, I> a) {
  using V = typename std::remove_const<T>::type;
  constexpr bool kIsPlain = std::is_arithmetic<V>::value && !std::is_same<V, bool>::value;
  if constexpr (kIsPlain && std::is_same<L, C>::value) {
    constexpr int64_t kBlock = kLanesOfExtreme<V>;
    V found;
    const int64_t n = a.size();
    if (n >= kBlock && find_in_lanes<kLeast, V>(a.data, n, found)) {
      const T* const p = a.data;
      int64_t i = 0;
      for (; i + kBlock <= n; i += kBlock) {
        int32_t has = 0;
        _Pragma("omp simd reduction(| : has)") for (int64_t k = 0; k < kBlock; ++k) has |=
            int32_t(p[i + k] == found);
        if (has != 0) break;
      }
      while (p[i] != found) ++i;
      return i;
    }
  }
  if constexpr (kIsPlain && N == 1) return place_in_row<kLeast, V>(a);
  if constexpr (kLeast)
    return find_least(a).index;
  else
    return find_greatest(a).index;
}

}  // namespace detail

template <class R, class Array>
PYK_FN R sum(const Array& a) {
  if constexpr (std::is_floating_point<R>::value || is_complex<R>)
    return detail::add_all(a, R(0), [](const auto& x) { return R(x); });
  else
    return detail::fold(a, R(0), [](R total, const auto& x) { return R(pyk::add(total, R(x))); });
}

template <class R, class Array>
PYK_FN R prod(const Array& a) {
  return detail::fold(a, R(1), [](R product, const auto& x) { return R(pyk::mul(product, R(x))); });
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

// Of the distances to the mean, squared; NaN for an empty array. M: of the mean, and of the
// squares, which are added as float64, as Numba does.
template <class M, class Array>
PYK_FN double var(const Array& a) {
  const M middle = mean<M>(a);
  const double total = detail::add_all(a, 0.0, [=](const auto& x) {
    if constexpr (is_complex<M>) {
      using Part = decltype(middle.re);
      const Part re = Part(x.re) - middle.re, im = Part(x.im) - middle.im;
      return double(Part(re * re + im * im));
    } else {
      const M apart = M(x) - middle;
      return double(M(apart * apart));
    }
  });
  return total / double(a.size());
}

// The root of the sum of squares, which is one of float64; of large and small numbers too, as BLAS
// has it.
template <class R, class Array>
PYK_FN R norm(const Array& a) {
  const auto squares = [&](double by) {
    return detail::add_all(a, 0.0, [=](const auto& x) {
      if constexpr (is_complex<detail::element_of<Array>>) {
        const double re = x.re * by, im = x.im * by;
        return re * re + im * im;
      } else {
        const double scaled = x * by;
        return scaled * scaled;
      }
    });
  };
  const double plain = squares(1.0);
  const double largest = std::numeric_limits<double>::max();
  if (plain != plain || (plain <= largest && plain >= std::numeric_limits<double>::min() * 1e6))
    return R(std::sqrt(plain));
  double greatest = 0;
  detail::walk(a, [&](const auto& x) {
    if constexpr (is_complex<detail::element_of<Array>>) {
      greatest = greatest < std::fabs(x.re) ? std::fabs(x.re) : greatest;
      greatest = greatest < std::fabs(x.im) ? std::fabs(x.im) : greatest;
    } else {
      greatest = greatest < std::fabs(x) ? std::fabs(x) : greatest;
    }
    return true;
  });
  if (greatest == 0 || greatest > largest) return R(greatest);
  int exponent = 0;
  std::frexp(greatest, &exponent);
  const int most = std::numeric_limits<double>::max_exponent - 1;
  const int by = -exponent < most ? -exponent : most;
  return R(std::ldexp(std::sqrt(squares(std::ldexp(1.0, by))), -by));
}

template <class Array>
PYK_FN int64_t count_nonzero(const Array& a) {
  using T = detail::element_of<Array>;
  return detail::fold(a, int64_t(0),
                      [](int64_t count, const T& x) { return count + (x != T(0) ? 1 : 0); });
}

// v in a, compared as T.
template <class T, class Array>
PYK_FN bool contains(const Array& a, T v) {
  return !detail::walk(a, [&](const auto& x) { return !(T(x) == v); });
}

template <class Array>
PYK_FN auto min(const Array& a) {
  return detail::extreme_of<true>(a);
}

template <class Array>
PYK_FN auto max(const Array& a) {
  return detail::extreme_of<false>(a);
}

template <class Array>
PYK_FN int64_t argmin(const Array& a) {
  return detail::place_of_extreme<true>(a);
}

template <class Array>
PYK_FN int64_t argmax(const Array& a) {
  return detail::place_of_extreme<false>(a);
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

// The straight line between the two points around x; in front of the first and behind the last the
// value there. `xp` ascends; both have elements, as many of one as of the other. NumPy's formula.
template <class XP, class FP>
PYK_FN double interp(double x, const XP& xp, const FP& fp) {
  const int64_t n = xp.shape(0);
  if (n == 1) return double(fp(0));  // of NaN too
  if (detail::is_nan(x)) return x;
  if (x > double(xp(n - 1))) return double(fp(n - 1));
  if (x < double(xp(0))) return double(fp(0));
  const int64_t k = searchsorted<double>(xp, x, true) - 1;
  if (k == n - 1 || double(xp(k)) == x) return double(fp(k));
  const double x0 = double(xp(k)), x1 = double(xp(k + 1)), y0 = double(fp(k)),
               y1 = double(fp(k + 1));
  const double slope = (y1 - y0) / (x1 - x0);
  double y = slope * (x - x0) + y0;
  if (detail::is_nan(y)) {
    y = slope * (x - x1) + y1;
    if (detail::is_nan(y) && y0 == y1) y = y0;
  }
  return y;
}

// The same for each element of `values`; `to` has their shape.
template <class Out, class Values, class XP, class FP>
PYK_FN void interp_all(const Out& to, const Values& values, const XP& xp, const FP& fp) {
  double* out = to.data;
  detail::walk(values, [&](const auto& x) {
    *out++ = interp(double(x), xp, fp);
    return true;
  });
}

// Where each element of `values` belongs; `to` has their shape.
template <class T, class Out, class Array, class Values>
PYK_FN void searchsorted_all(const Out& to, const Array& a, const Values& values, bool right) {
  int64_t* out = to.data;
  detail::walk(values, [&](const auto& v) {
    *out++ = searchsorted<T>(a, T(v), right);
    return true;
  });
}

}  // namespace pyk::np
