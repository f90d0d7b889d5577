// Python's operator module as functions: pyk::lt(a, b), pyk::and_(a, b), pyk::rshift(a, n).
//
// Names of `operator` that core.h and complex.h do not have already. Keywords of C++ end in `_`.
// Tested by tests/builtins/operator.cases.
#pragma once

#include "pyk/complex.h"

namespace pyk {

template <class A, class B>
PYK_FN constexpr bool eq(A a, B b) {
  return a == b;
}
template <class A, class B>
PYK_FN constexpr bool ne(A a, B b) {
  return a != b;
}
template <class T>
PYK_FN constexpr bool lt(T a, T b) {
  return a < b;
}
template <class T>
PYK_FN constexpr bool le(T a, T b) {
  return a <= b;
}
template <class T>
PYK_FN constexpr bool gt(T a, T b) {
  return a > b;
}
template <class T>
PYK_FN constexpr bool ge(T a, T b) {
  return a >= b;
}

template <class T>
PYK_FN constexpr T and_(T a, T b) {
  return T(a & b);
}
template <class T>
PYK_FN constexpr T or_(T a, T b) {
  return T(a | b);
}
template <class T>
PYK_FN constexpr T xor_(T a, T b) {
  return T(a ^ b);
}
// ~x; of a bool: the other one.
template <class T>
PYK_FN constexpr T invert(T x) {
  if constexpr (std::is_same<T, bool>::value) {
    return !x;
  } else {
    return T(~x);
  }
}
template <class A, class N>
PYK_FN constexpr A lshift(A a, N count) {
  return shl(a, count);
}
template <class A, class N>
PYK_FN constexpr A rshift(A a, N count) {
  return shr(a, count);
}

template <class T>
PYK_FN constexpr T pos(T x) {
  return x;
}
template <class T>
PYK_FN constexpr bool not_(T x) {
  return !truth(x);
}

}  // namespace pyk
