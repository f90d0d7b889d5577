// pyk::complex<T>: Python's complex numbers with NumPy's layout, on host and device.
//
// Products by the plain formula (no Annex G recovery), quotients by Smith's method as CPython and
// NumPy divide; z / 0 gives inf and nan as NumPy does. Powers as CPython: small whole exponents by
// multiplication. Real operands are converted first, as Python does before version 3.14.
// Tested by tests/unit/runtime/complex_test.cpp and tests/builtins/cmath.cases.
#pragma once

#include "pyk/core.h"

namespace pyk {

template <class T>
struct complex {
  T re, im;

  complex() = default;
  complex(const complex&) = default;
  // Each part by itself: in loops for vectors GCC copies numbers as a whole from memory to memory.
  PYK_HD constexpr complex& operator=(const complex& z) {
    re = z.re;
    im = z.im;
    return *this;
  }
  PYK_HD constexpr complex(T real) : re(real), im(0) {}
  PYK_HD constexpr complex(T real, T imag) : re(real), im(imag) {}
  template <class U>
  PYK_HD constexpr explicit complex(complex<U> z) : re(T(z.re)), im(T(z.im)) {}

  PYK_HD constexpr complex& operator+=(complex z) { return *this = *this + z; }
  PYK_HD constexpr complex& operator-=(complex z) { return *this = *this - z; }
  PYK_HD constexpr complex& operator*=(complex z) { return *this = *this * z; }
  PYK_HD constexpr complex& operator/=(complex z) { return *this = *this / z; }

  friend PYK_HD constexpr complex operator+(complex a) { return a; }
  friend PYK_HD constexpr complex operator-(complex a) { return {-a.re, -a.im}; }
  friend PYK_HD constexpr complex operator+(complex a, complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend PYK_HD constexpr complex operator-(complex a, complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend PYK_HD constexpr complex operator*(complex a, complex b) {
    return {rounded(a.re * b.re) - rounded(a.im * b.im),
            rounded(a.re * b.im) + rounded(a.im * b.re)};
  }
  friend PYK_HD constexpr complex operator/(complex a, complex b) {
    const T size_re = b.re < 0 ? -b.re : b.re, size_im = b.im < 0 ? -b.im : b.im;
    if (size_re >= size_im) {
      if (size_re == 0) return {a.re / size_re, a.im / size_re};
      const T ratio = b.im / b.re, scale = b.re + b.im * ratio;
      return {(a.re + rounded(a.im * ratio)) / scale, (a.im - rounded(a.re * ratio)) / scale};
    }
    if (!(size_im >= size_re)) return {not_a_number<T>, not_a_number<T>};
    const T ratio = b.re / b.im, scale = b.re * ratio + b.im;
    return {(rounded(a.re * ratio) + a.im) / scale, (rounded(a.im * ratio) - a.re) / scale};
  }
  friend PYK_HD constexpr bool operator==(complex a, complex b) {
    return a.re == b.re && a.im == b.im;
  }
  friend PYK_HD constexpr bool operator!=(complex a, complex b) { return !(a == b); }
};

template <class T>
PYK_FN constexpr complex<T> rounded(complex<T> result) {
  return {rounded(result.re), rounded(result.im)};
}

// A sum in the order of the source: see in_order of floats. On every processor: GCC parts complex
// numbers by vectors of any width, and adds what it took out one by one.
template <class T>
PYK_FN complex<T> in_order(complex<T> sum) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
  asm("" : "+x"(sum.re), "+x"(sum.im));
#endif
  return sum;
}

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<complex<T>> = true;

template <class T>
PYK_FN constexpr complex<T> add(complex<T> a, complex<T> b) {
  return a + b;
}
template <class T>
PYK_FN constexpr complex<T> sub(complex<T> a, complex<T> b) {
  return a - b;
}
template <class T>
PYK_FN constexpr complex<T> mul(complex<T> a, complex<T> b) {
  return a * b;
}
template <class T>
PYK_FN constexpr complex<T> neg(complex<T> a) {
  return -a;
}
template <class T>
PYK_FN constexpr complex<T> truediv(complex<T> a, complex<T> b) {
  return a / b;
}
template <class T>
PYK_FN constexpr bool truth(complex<T> z) {
  return z.re != 0 || z.im != 0;
}
template <class T>
PYK_FN T abs(complex<T> z) {
  return std::hypot(z.re, z.im);
}
template <class T>
PYK_FN constexpr complex<T> conj(complex<T> z) {
  return {z.re, -z.im};
}

// z.real, z.imag and z.conjugate() of real numbers too.
template <class T>
PYK_FN constexpr T real(complex<T> z) {
  return z.re;
}
template <class T>
PYK_FN constexpr T imag(complex<T> z) {
  return z.im;
}
template <class T, when<is_real<T>> = 0>
PYK_FN constexpr T real(T x) {
  return x;
}
template <class T, when<is_real<T>> = 0>
PYK_FN constexpr T imag(T) {
  return T(0);
}
template <class T, when<is_real<T>> = 0>
PYK_FN constexpr T conj(T x) {
  return x;
}

// pyk::convert<complex<float>>(z) and of reals; complex -> bool is z != 0.
template <class To, class T>
PYK_FN constexpr To convert(complex<T> z) {
  if constexpr (std::is_same<To, bool>::value) {
    return truth(z);
  } else {
    return To(z);
  }
}

namespace detail {

// NumPy's order: complex numbers by real part first.
template <class T>
PYK_FN constexpr bool less(T a, T b) {
  if constexpr (is_complex<T>) {
    return a.re < b.re || (a.re == b.re && a.im < b.im);
  } else {
    return a < b;
  }
}
template <class T>
PYK_FN constexpr bool is_nan(T x) {
  return !(x == x);
}

// CPython's _Py_c_pow.
template <class T>
PYK_FN complex<T> polar_power(complex<T> base, complex<T> exponent) {
  if (exponent.re == 0 && exponent.im == 0) return {1, 0};
  if (base.re == 0 && base.im == 0) return {0, 0};
  const T size = std::hypot(base.re, base.im), angle = std::atan2(base.im, base.re);
  T length = std::pow(size, exponent.re), phase = angle * exponent.re;
  if (exponent.im != 0) {
    length *= std::exp(-angle * exponent.im);
    phase += exponent.im * std::log(size);
  }
  return {length * std::cos(phase), length * std::sin(phase)};
}

template <class T>
PYK_FN constexpr complex<T> whole_power(complex<T> base, int n) {
  complex<T> result{1, 0};
  for (unsigned rest = unsigned(n < 0 ? -n : n); rest != 0; rest >>= 1) {
    if (rest & 1) result = result * base;
    base = base * base;
  }
  return n < 0 ? complex<T>{1, 0} / result : result;
}

}  // namespace detail

// a ** b: whole exponents up to 100 by multiplication, others through polar form.
template <class T>
PYK_FN complex<T> pow(complex<T> base, complex<T> exponent) {
  const bool small = exponent.im == 0 && std::fabs(exponent.re) <= 100;
  if (small && exponent.re == std::floor(exponent.re)) {
    return detail::whole_power(base, int(exponent.re));
  }
  return detail::polar_power(base, exponent);
}
template <class T, class N, when<is_real<N>> = 0>
PYK_FN complex<T> pow(complex<T> base, N exponent) {
  return pow(base, complex<T>(T(exponent)));
}
template <class T, class A, when<is_real<A>> = 0>
PYK_FN complex<T> pow(A base, complex<T> exponent) {
  return pow(complex<T>(T(base)), exponent);
}

}  // namespace pyk
