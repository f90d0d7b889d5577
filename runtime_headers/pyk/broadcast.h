// Operands of array expressions, as arrays of one shape.
//
//   pyk::extent_of_both(n, m)         the extent of an axis, of two arrays that have it
//   pyk::broadcasts(a, 3, n)          does NumPy broadcast a to the shape 3, n?
//   b = pyk::fitted(a, 3, n)          a itself where it is of that shape, else a copy that is
//   b = pyk::fitted_to(a, target)     the same with the shape of target, and a copy too where both
//                                     share memory other than element for element
//   b = pyk::apart(a, target)         a itself, or a copy where both share memory so
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
  using view = owned<item, N, L>;
  static constexpr int rank = N;
  // Of truths that are only read every byte but 0 is one.
  static constexpr bool reads_bytes = std::is_same<T, const bool>::value;
};
template <class T, int N, class L>
struct parts_of<owned<T, N, L>> : parts_of<array<T, N, L>> {};

template <class A, size_t... K>
auto new_of_shape(const int64_t* shape, std::index_sequence<K...>) {
  using parts = parts_of<A>;
  return empty<typename parts::item, typename parts::order>(shape[K]...);
}

// `shape`: of all axes of a.
template <class A>
typename parts_of<A>::view fit(const A& a, const int64_t* shape, bool copies) {
  using parts = parts_of<A>;
  copies = copies || parts::reads_bytes;
  for (int k = 0; k < parts::rank; ++k) copies = copies || a.shape(k) != shape[k];
  if (!copies) {
    static typename parts::item nothing[1] = {};
    typename parts::view view = a;
    if (!view.data) view.data = nothing;
    return view;
  }
  auto made = new_of_shape<A>(shape, std::make_index_sequence<size_t(parts::rank)>());
  if (!made.is_valid() || copy(made, a) != 0) return {};
  return made;
}

}  // namespace detail

PYK_INLINE int64_t extent_of_both(int64_t n, int64_t m) { return n == 1 ? m : n; }

template <class A, class... Shape>
[[maybe_unused]] static inline bool broadcasts(const A& a, Shape... shape) {
  const int64_t all[] = {int64_t(shape)...};
  constexpr int rank = detail::parts_of<A>::rank, missing = int(sizeof...(Shape)) - rank;
  bool fits = true;
  for (int k = 0; k < rank; ++k) fits = fits && (a.shape(k) == all[k + missing] || a.shape(k) == 1);
  return fits;
}

template <class A, class... Shape>
typename detail::parts_of<A>::view fitted(const A& a, Shape... shape) {
  const int64_t all[] = {int64_t(shape)...};
  return detail::fit(a, all + sizeof...(Shape) - detail::parts_of<A>::rank, false);
}

template <class A, class Target>
typename detail::parts_of<A>::view fitted_to(const A& a, const Target& target) {
  constexpr int rank = detail::parts_of<Target>::rank;
  int64_t all[rank > 0 ? rank : 1] = {};
  for (int k = 0; k < rank; ++k) all[k] = target.shape(k);
  return detail::fit(a, all + rank - detail::parts_of<A>::rank, meets(target, a));
}

template <class A, class Target>
typename detail::parts_of<A>::view apart(const A& a, const Target& target) {
  constexpr int rank = detail::parts_of<A>::rank;
  int64_t all[rank > 0 ? rank : 1] = {};
  for (int k = 0; k < rank; ++k) all[k] = a.shape(k);
  return detail::fit(a, all, meets(target, a));
}

}  // namespace pyk
