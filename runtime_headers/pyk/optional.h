// pyk::optional: a value or None.
//
// `value` is meaningful only when `has` is true; reading it otherwise is the caller's mistake,
// which inference rules out or turns into an exception. Tested by
// tests/unit/runtime/tuple_test.cpp.
#pragma once

#include "pyk/config.h"

namespace pyk {

template <class T>
struct optional {
  T value;
  bool has;

  optional() = default;
  PYK_HD constexpr optional(T some) : value(some), has(true) {}
  // A view becomes an array that may own its memory.
  template <class U, class = std::enable_if_t<std::is_constructible<T, const U&>::value>>
  PYK_HD constexpr optional(const optional<U>& other) : value(other.value), has(other.has) {}
  static PYK_HD constexpr optional none() {
    optional result{T()};
    result.has = false;
    return result;
  }
  PYK_HD constexpr explicit operator bool() const { return has; }
};

template <class T>
[[maybe_unused]] PYK_HD static constexpr bool operator==(const optional<T>& a,
                                                         const optional<T>& b) {
  return a.has == b.has && (!a.has || a.value == b.value);
}
template <class T>
[[maybe_unused]] PYK_HD static constexpr bool operator!=(const optional<T>& a,
                                                         const optional<T>& b) {
  return !(a == b);
}

}  // namespace pyk
