// The quotient of complex numbers in lanes, and the exponential function: those of pyk::complex,
// without a branch.
//
//   pyk::lanes::quotient_real(a.re, a.im, b.re, b.im)   (a / b).re to the last bit; quotient_imag
//   size = exp(pyk::lanes::exp_argument(z.re))
//   pyk::lanes::exp_real(z.re, z.im, size, cos(z.im))   exp(z).re, as exact as size and cosine
//   pyk::lanes::exp_imag(z.re, z.im, size, sin(z.im))   exp(z).im
//
// Tested by tests/unit/runtime/complex_test.cpp and tests/run/test_complexes.py.
#pragma once

#include "pyk/cmath.h"
#include "pyk/complex.h"
#include "pyk/config.h"

namespace pyk::lanes {

namespace detail {

// Smith's: the larger part of the divisor decides.
template <class T>
struct smith {
  T ratio, scale;
  bool by_real, by_zero, is_number;
};

template <class T>
PYK_INLINE smith<T> smith_of(T re, T im) {
  const T size_re = re < 0 ? -re : re, size_im = im < 0 ? -im : im;
  smith<T> s;
  s.by_real = size_re >= size_im;
  s.by_zero = s.by_real & (size_re == 0);
  s.is_number = s.by_real | (size_im >= size_re);
  s.ratio = (s.by_real ? im : re) / (s.by_real ? re : im);
  s.scale = s.by_real ? re + im * s.ratio : re * s.ratio + im;
  s.scale = s.by_zero ? size_re : s.scale;
  return s;
}

}  // namespace detail

template <class T>
PYK_FN T quotient_real(T a_re, T a_im, T b_re, T b_im) {
  const detail::smith<T> s = detail::smith_of(b_re, b_im);
  const T top = s.by_real ? a_re + rounded(a_im * s.ratio) : rounded(a_re * s.ratio) + a_im;
  const T quotient = (s.by_zero ? a_re : top) / s.scale;
  return s.is_number ? quotient : not_a_number<T>;
}
template <class T>
PYK_FN T quotient_imag(T a_re, T a_im, T b_re, T b_im) {
  const detail::smith<T> s = detail::smith_of(b_re, b_im);
  const T top = s.by_real ? a_im - rounded(a_re * s.ratio) : rounded(a_im * s.ratio) - a_re;
  const T quotient = (s.by_zero ? a_im : top) / s.scale;
  return s.is_number ? quotient : not_a_number<T>;
}

// The size of what is above log_huge may overflow where its product with a cosine does not.
PYK_FN double exp_argument(double re) { return re > cmath::detail::log_huge ? re - 1 : re; }

PYK_FN double exp_real(double re, double im, double size, double cosine) {
  const double part = size * cosine;
  const double whole = re > cmath::detail::log_huge ? part * cmath::e : part;
  const bool is_infinite = (re == HUGE_VAL) | (re == -HUGE_VAL);
  const bool has_angle = im - im == 0;  // neither infinite nor NaN
  return is_infinite & !has_angle ? size : whole;
}
PYK_FN double exp_imag(double re, double im, double size, double sine) {
  const double part = size * sine;
  const double whole = re > cmath::detail::log_huge ? part * cmath::e : part;
  const bool has_angle = im - im == 0;
  const double at_end = (re == -HUGE_VAL) & !has_angle ? 0.0 : whole;
  return im == 0 ? im : at_end;
}

}  // namespace pyk::lanes
