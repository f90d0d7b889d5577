// Operands of array expressions, as arrays of one shape.
//
//   pyk::extent_of_both(n, m)         the extent of an axis, of two arrays that have it
//   pyk::broadcasts(a, 3, n)          does NumPy broadcast a to the shape 3, n?
//   b = pyk::fitted(a, 3, n)          a itself where it is of that shape, else a copy that is
//   b = pyk::fitted_to(a, target)     the same with the shape of target, and a copy too where both
//                                     share memory other than element for element
//   b = pyk::fitted_apart(a, target, 3, n)
//                                     as fitted, and a copy too where it shares memory with target
//   b = pyk::apart(a, target)         a itself, or a copy where both share memory
//
// `a` has as many axes as the shape or fewer: the first ones of the shape are left out. Not
// is_valid() where there is no memory for a copy. Tested by tests/run/test_array_expressions.py.
#pragma once

#include "pyk/copy.h"
#include "pyk/memory.h"

namespace pyk {

namespace detail {

template <class A>
struct parts_of;
template <class T, int N, class L>
struct parts_of<array<T, N, L>> {
  using item = typename std::remove_const<T>::type;
  using order = typename std::conditional<std::is_same<L, F>::value, F, C>::type;
  // Of truths that are only read every byte but 0 is one.
  using view =
      owned<typename std::conditional<std::is_same<item, bool>::value, T, item>::type, N, L>;
  static constexpr int rank = N;
};
template <class T, int N, class L>
struct parts_of<owned<T, N, L>> : parts_of<array<T, N, L>> {};
template <class T, int N, class L, int64_t kElements>
struct parts_of<stack_array<T, N, L, kElements>> : parts_of<array<T, N, L>> {};

template <class A>
using fitted_of = typename parts_of<A>::view;

template <class A, size_t... K>
auto new_of_shape(const int64_t* shape, std::index_sequence<K...>) {
  using parts = parts_of<A>;
  return empty<typename parts::item, typename parts::order>(shape[K]...);
}

// `shape`: of all axes of a.
template <class T, int N, class L>
fitted_of<array<T, N, L>> copied(array<T, N, L> a, const int64_t* shape) {
  auto made = new_of_shape<array<T, N, L>>(shape, std::make_index_sequence<size_t(N)>());
  if (!made.is_valid() || copy(made, a) != 0) return {};
  return made;
}

// Valid also where a has no elements and no address.
template <class A>
PYK_INLINE fitted_of<A> itself(const A& a) {
  static typename parts_of<A>::item nothing[1] = {};
  fitted_of<A> view = a;
  if (!view.data) view.data = nothing;
  return view;
}

template <class A>
PYK_INLINE bool has_extents(const A& a, const int64_t* shape) {
  bool same = true;
  for (int k = 0; k < parts_of<A>::rank; ++k) same = same && a.shape(k) == shape[k];
  return same;
}

}  // namespace detail

PYK_INLINE int64_t extent_of_both(int64_t n, int64_t m) { return n == 1 ? m : n; }

template <class A, class... Shape>
[[maybe_unused]] static inline bool broadcasts(const A& a, Shape... shape) {
  const int64_t all[] = {int64_t(shape)...};
  constexpr int rank = detail::parts_of<A>::rank, missing = int(sizeof...(Shape)) - rank;
  bool fits = true;
  for (int k = 0; k < rank; ++k) fits = fits && (a.shape(k) == all[k + missing] || a.shape(k) == 1);
  return PYK_LIKELY(fits);
}

template <class A, class... Shape>
PYK_INLINE detail::fitted_of<A> fitted(const A& a, Shape... shape) {
  const int64_t all[] = {int64_t(shape)...};
  const int64_t* const own = all + sizeof...(Shape) - detail::parts_of<A>::rank;
  if (detail::has_extents(a, own)) return detail::itself(a);
  return detail::copied(a, own);
}

template <class A, class Target>
PYK_INLINE detail::fitted_of<A> fitted_to(const A& a, const Target& target) {
  constexpr int rank = detail::parts_of<Target>::rank;
  int64_t all[rank > 0 ? rank : 1] = {};
  for (int k = 0; k < rank; ++k) all[k] = target.shape(k);
  const int64_t* const own = all + rank - detail::parts_of<A>::rank;
  if (detail::has_extents(a, own) && !meets(target, a)) return detail::itself(a);
  return detail::copied(a, own);
}

template <class A, class Target, class... Shape>
PYK_INLINE detail::fitted_of<A> fitted_apart(const A& a, const Target& target, Shape... shape) {
  const int64_t all[] = {int64_t(shape)...};
  if (detail::has_extents(a, all) && !overlaps(target, a)) return detail::itself(a);
  return detail::copied(a, all);
}

template <class A, class Target>
PYK_INLINE detail::fitted_of<A> apart(const A& a, const Target& target) {
  constexpr int rank = detail::parts_of<A>::rank;
  if (!overlaps(target, a)) return detail::itself(a);
  int64_t all[rank > 0 ? rank : 1] = {};
  for (int k = 0; k < rank; ++k) all[k] = a.shape(k);
  return detail::copied(a, all);
}

}  // namespace pyk
