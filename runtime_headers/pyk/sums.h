// math.dist, fsum, prod and sumprod: of tuples of double and of arrays of one dimension.
//
//   pyk::math::fsum(pyk::tuple{a, b, c})   pyk::math::dist(p, q)   pyk::math::prod<int64_t>(v)
//
// The values are CPython 3.13's, bit for bit: fsum is rounded once, dist and sumprod carry what
// rounding loses. Nothing raises: fsum gives inf where it overflows, nan for inf - inf.
// Tested by tests/run/test_parts.py.
#pragma once

#include "pyk/array.h"
#include "pyk/math.h"

namespace pyk::math {

namespace detail {

// Item i of an array or of a uniform tuple.
template <class T, class U, class L, class Index>
PYK_FN T item(array<U, 1, L, Index> a, int64_t i) {
  return T(a(i));
}
template <class T, class... U>
PYK_FN T item(const tuple<U...>& t, [[maybe_unused]] int64_t i) {
  if constexpr (sizeof...(U) == 0) {
    return T(0);
  } else {
    return T(t.at(i));
  }
}
template <class T, class L, class Index>
PYK_FN int64_t length(array<T, 1, L, Index> a) {
  return a.shape(0);
}
template <class... T>
PYK_FN int64_t length(const tuple<T...>&) {
  return sizeof...(T);
}

// A sum without rounding: hi + lo.
struct pair {
  double hi, lo;
};
PYK_FN pair two_sum(double a, double b) {
  const double sum = a + b, back = sum - a;
  return {sum, (a - (sum - back)) + (b - back)};
}
PYK_FN pair fast_sum(double large, double small) {
  const double sum = large + small;
  return {sum, (large - sum) + small};
}
PYK_FN pair two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// Numbers that do not overlap, smallest first, whose sum is exact (Shewchuk).
struct partials {
  double part[64];
  int count = 0;

  // The rounded sum, which is not finite when it overflows.
  PYK_HD double add(double x) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      const bool larger = std::fabs(x) >= std::fabs(part[k]);
      const pair sum = larger ? fast_sum(x, part[k]) : fast_sum(part[k], x);
      if (sum.lo != 0) part[kept++] = sum.lo;
      x = sum.hi;
    }
    count = kept;
    if (x != 0) part[count++] = x;
    return x;
  }
  // Half-way cases are rounded as the first part that was left out decides.
  PYK_HD double rounded() const {
    int k = count;
    if (k == 0) return 0;
    pair sum{part[--k], 0};
    while (k > 0 && sum.lo == 0) sum = fast_sum(sum.hi, part[--k]);
    if (k > 0 && ((sum.lo < 0 && part[k - 1] < 0) || (sum.lo > 0 && part[k - 1] > 0))) {
      const double twice = sum.lo * 2, next = sum.hi + twice;
      if (twice == next - sum.hi) return next;
    }
    return sum.hi;
  }
};

// sqrt(sum of x * x) of |vec[i]| <= largest, correctly rounded in nearly all cases.
template <class Distance>
PYK_FN double norm(const Distance& distance, int64_t n, double largest, double unit) {
  int exponent = 0;
  std::frexp(largest / unit, &exponent);
  const double scale = std::ldexp(1.0, -exponent);
  double sum = 1, lost_squares = 0, lost_sums = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double x = distance(i) / unit * scale;
    const pair square = two_product(x, x), total = fast_sum(sum, square.hi);
    sum = total.hi;
    lost_squares += square.lo;
    lost_sums += total.lo;
  }
  const double root = std::sqrt(sum - 1 + (lost_squares + lost_sums));
  const pair square = two_product(-root, root), total = fast_sum(sum, square.hi);
  const double rest = total.hi - 1 + (lost_squares + square.lo + (lost_sums + total.lo));
  return (root + rest / (2 * root)) / scale * unit;
}

}  // namespace detail

// The exact sum, rounded once.
template <class Items>
PYK_FN double fsum(const Items& items) {
  detail::partials sum;
  double special = 0;
  bool not_finite = false;
  for (int64_t i = 0, n = detail::length(items); i < n; ++i) {
    const double x = detail::item<double>(items, i);
    if (!isfinite(x)) {
      special += x;
      not_finite = true;
      continue;
    }
    const double total = sum.add(x);
    if (!isfinite(total)) return total;
  }
  return not_finite ? special : sum.rounded();
}

// The Euclidean distance of two points of as many coordinates.
template <class P, class Q>
PYK_FN double dist(const P& p, const Q& q) {
  const auto distance = [&](int64_t i) {
    return std::fabs(detail::item<double>(p, i) - detail::item<double>(q, i));
  };
  const int64_t n = detail::length(p);
  double largest = 0;
  bool has_nan = false;
  for (int64_t i = 0; i < n; ++i) {
    const double x = distance(i);
    has_nan = has_nan || isnan(x);
    if (x > largest) largest = x;
  }
  if (isinf(largest)) return largest;
  if (has_nan) return nan;
  if (largest == 0 || n <= 1) return largest;
  constexpr double least = 2.2250738585072014e-308;
  return detail::norm(distance, n, largest, largest < least ? least : 1);
}

// sum(p[i] * q[i]) with the rounding errors of products and sums added at the end.
template <class P, class Q>
PYK_FN double sumprod(const P& p, const Q& q) {
  double hi = 0, lo = 0, tiny = 0;
  int64_t i = 0;
  const int64_t n = detail::length(p);
  for (; i < n; ++i) {
    const detail::pair product =
        detail::two_product(detail::item<double>(p, i), detail::item<double>(q, i));
    const detail::pair sum = detail::two_sum(hi, product.hi);
    if (!isfinite(sum.hi)) break;
    const detail::pair lost = detail::two_sum(lo, product.lo);
    const detail::pair both = detail::two_sum(lost.hi, sum.lo);
    hi = sum.hi;
    lo = both.hi;
    tiny += lost.lo + both.lo;
  }
  const detail::pair last = detail::two_sum(lo, hi);
  double total = tiny + last.lo + last.hi;
  for (; i < n; ++i) total += detail::item<double>(p, i) * detail::item<double>(q, i);
  return total;
}

// The same of integers: plain sums and products, which wrap.
template <class Int, class P, class Q>
PYK_FN Int sumprod(const P& p, const Q& q) {
  uint64_t total = 0;
  for (int64_t i = 0, n = detail::length(p); i < n; ++i)
    total += uint64_t(detail::item<Int>(p, i)) * uint64_t(detail::item<Int>(q, i));
  return Int(total);
}

// start * items[0] * items[1] ... computed in T; integers wrap.
template <class T, class Items>
PYK_FN T prod(const Items& items, T start = T(1)) {
  T product = start;
  for (int64_t i = 0, n = detail::length(items); i < n; ++i) {
    const T x = detail::item<T>(items, i);
    if constexpr (std::is_integral<T>::value) {
      product = T(uint64_t(product) * uint64_t(x));
    } else {
      product = product * x;
    }
  }
  return product;
}

}  // namespace pyk::math
