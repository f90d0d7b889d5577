// One of two values without a branch.
//
//   pyk::choose(c, yes, no)      a conditional move, where branches would be missed
//   pyk::blend(c, yes, no)       by bits; of floats in a vector register
//   pyk::either(c, a[i], b[j])   of elements, by where they lie
//   pyk::number<float>(c)        1.0 or 0.0, as a factor
//   if (c) u = pyk::branched(i); the other way round: a branch that stays one, which is rarely
//                                taken; what waits for u need not wait for c
//
// Of choose, blend and number both values are computed. Tested by tests/unit/runtime/core_test.cpp,
// tests/run/test_decays.py, tests/run/test_diffusion.py and, of either, tests/run/test_choices.py.
#pragma once

#include <cstdint>
#include <type_traits>

#include "pyk/config.h"

namespace pyk {

// yes or no, of which both are computed: where branches would be missed.
template <class A, class B>
PYK_FN common<A, B> choose(bool condition, A left, B right) {
  common<A, B> yes = left, no = right;
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
  asm("" : "+r"(yes), "+r"(no));
#endif
  return condition ? yes : no;
}

// Of two elements the place is chosen, and the one that lies there read: the other need not be
// there, which clang would read as well, of references. Where nobody foresees the condition.
template <class T>
PYK_FN T either(bool condition, const T& left, const T& right) {
  const T *yes = &left, *no = &right;
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  asm("" : "+r"(yes), "+r"(no));
#endif
  return *(condition ? yes : no);
}

// An integer that is given behind a branch: where C++ compilers would choose without one.
template <class I>
PYK_FN I branched(I value) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
  asm("" : "+r"(value));
#endif
  return value;
}

// 1.0 or 0.0 as a factor: by bits, where C++ compilers would branch around the product.
template <class T>
PYK_FN T number(bool condition) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const T one = T(1);
  Bits bits = 0;
  __builtin_memcpy(&bits, &one, sizeof bits);
  bits &= Bits(0) - Bits(condition);
  T factor;
  __builtin_memcpy(&factor, &bits, sizeof factor);
  return factor;
#else
  return T(condition);
#endif
}

namespace detail {

#if defined(__GNUC__) && !defined(__CUDACC__)
// What chooses between floats, in a vector register.
template <class T>
struct in_register {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T Values __attribute__((vector_size(16)));
  typedef Bits Mask __attribute__((vector_size(16)));
  Mask taken;
  PYK_HD in_register(Mask compared) : taken(compared) {}
  PYK_HD explicit in_register(bool condition) : taken{-static_cast<Bits>(condition)} {}
  PYK_HD T choose(T yes, T no) const { return (taken ? Values{yes} : Values{no})[0]; }
};
#else
template <class T>
struct in_register {
  bool taken;
  PYK_HD in_register(bool condition) : taken(condition) {}
  PYK_HD T choose(T yes, T no) const { return taken ? yes : no; }
};
#endif

template <class T>
struct compared {
#if defined(__GNUC__) && !defined(__CUDACC__)
  typename in_register<T>::Values value;
  PYK_HD explicit compared(T x) : value{x} {}
#else
  T value;
  PYK_HD explicit compared(T x) : value(x) {}
#endif
#define PYK_COMPARED(op)                                      \
  PYK_HD friend in_register<T> operator op(compared a, T b) { \
    return in_register<T>(a.value op compared(b).value);      \
  }
  PYK_COMPARED(<)
  PYK_COMPARED(<=)
  PYK_COMPARED(>)
  PYK_COMPARED(>=)
  PYK_COMPARED(==)
  PYK_COMPARED(!=)
#undef PYK_COMPARED
};

}  // namespace detail

// blend(compared(x) < y, yes, no), of floats of one type: the result of the comparison stays in a
// vector register, where blend needs it.
template <class T>
PYK_FN detail::compared<T> compared(T x) {
  return detail::compared<T>(x);
}
template <class T, class A, class B>
PYK_FN T blend(detail::in_register<T> condition, A yes, B no) {
  return condition.choose(yes, no);
}

// yes or no, of which both are computed, where C++ compilers would branch for all that choose
// says: of integers and truths in three operations in place of one, of floats by a mask in a vector
// register.
template <class A, class B>
PYK_FN common<A, B> blend(bool condition, A left, B right) {
  using T = common<A, B>;
  const T yes = left, no = right;
  if constexpr (std::is_floating_point_v<T>) {
    return detail::in_register<T>(condition).choose(yes, no);
  } else {
    return static_cast<T>(no ^ ((yes ^ no) & static_cast<T>(-static_cast<T>(condition))));
  }
}

}  // namespace pyk
