// pyk::tuple: Python's tuple of known types, on host and device.
//
// Structured bindings, get<I>, ==, <, size; a uniform tuple also at(i) with a run-time index.
// Trivially copyable when its items are. `pyk::tuple{a, b}` deduces the types.
// Tested by tests/unit/runtime/tuple_test.cpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "pyk/config.h"

namespace pyk {

template <class... Ts>
struct tuple;

template <>
struct tuple<> {};

template <class Head, class... Tail>
struct tuple<Head, Tail...> {
  Head head;
  tuple<Tail...> tail;

  tuple() = default;
  PYK_HD constexpr tuple(Head first, Tail... rest) : head(first), tail(rest...) {}
  // Item by item: arrays that own their memory become views.
  template <class H, class... Ts,
            class = std::enable_if_t<sizeof...(Ts) == sizeof...(Tail) &&
                                     !std::is_same<tuple<H, Ts...>, tuple>::value &&
                                     std::is_convertible<const H&, Head>::value>>
  PYK_HD constexpr tuple(const tuple<H, Ts...>& other) : head(other.head), tail(other.tail) {}

  static constexpr int64_t size() { return 1 + int64_t(sizeof...(Tail)); }
  // t[i] of a uniform tuple, 0 <= i < size(); beyond it the last item.
  PYK_HD constexpr Head at(int64_t i) const {
    if constexpr (sizeof...(Tail) == 0) {
      return head;
    } else {
      return i == 0 ? head : tail.at(i - 1);
    }
  }
};

template <class... Ts>
tuple(Ts...) -> tuple<Ts...>;

// What get<I> gives of an item: a reference where it owns memory, whose owners are counted where
// it is kept only.
template <class T>
using got = std::conditional_t<std::is_trivially_copyable<T>::value, T, const T&>;
template <size_t I, class Head, class... Tail>
[[maybe_unused]] PYK_HD static constexpr decltype(auto) get(const tuple<Head, Tail...>& t) {
  if constexpr (I == 0) {
    return static_cast<got<Head>>(t.head);
  } else {
    return get<I - 1>(t.tail);
  }
}
// Of a result that nobody keeps, the item itself: get<0>(f())
template <size_t I, class Head, class... Tail>
[[maybe_unused]] PYK_HD static constexpr auto get(tuple<Head, Tail...>&& t) {
  if constexpr (I == 0) {
    return static_cast<Head&&>(t.head);
  } else {
    return get<I - 1>(static_cast<tuple<Tail...>&&>(t.tail));
  }
}

template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator==(const tuple<As...>& a,
                                                         const tuple<Bs...>& b) {
  if constexpr (sizeof...(As) != sizeof...(Bs)) {
    return false;
  } else if constexpr (sizeof...(As) == 0) {
    return true;
  } else {
    return a.head == b.head && a.tail == b.tail;
  }
}

// The first items that differ decide; a prefix is less.
template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator<(const tuple<As...>& a,
                                                        const tuple<Bs...>& b) {
  if constexpr (sizeof...(Bs) == 0) {
    return false;
  } else if constexpr (sizeof...(As) == 0) {
    return true;
  } else {
    return a.head == b.head ? a.tail < b.tail : a.head < b.head;
  }
}

template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator<=(const tuple<As...>& a,
                                                         const tuple<Bs...>& b) {
  if constexpr (sizeof...(As) == 0) {
    return true;
  } else if constexpr (sizeof...(Bs) == 0) {
    return false;
  } else {
    return a.head == b.head ? a.tail <= b.tail : a.head < b.head;
  }
}

template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator!=(const tuple<As...>& a,
                                                         const tuple<Bs...>& b) {
  return !(a == b);
}
template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator>(const tuple<As...>& a,
                                                        const tuple<Bs...>& b) {
  return b < a;
}
template <class... As, class... Bs>
[[maybe_unused]] PYK_HD static constexpr bool operator>=(const tuple<As...>& a,
                                                         const tuple<Bs...>& b) {
  return b <= a;
}

}  // namespace pyk

template <class... Ts>
struct std::tuple_size<pyk::tuple<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};

template <std::size_t I, class Head, class... Tail>
struct std::tuple_element<I, pyk::tuple<Head, Tail...>>
    : std::tuple_element<I - 1, pyk::tuple<Tail...>> {};

template <class Head, class... Tail>
struct std::tuple_element<0, pyk::tuple<Head, Tail...>> {
  using type = Head;
};
