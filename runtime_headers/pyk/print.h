// print(...) of compiled functions, to C's stdout.
//
// print:        scalars, text, tuples as one line, items separated by a space, numbers spelled as
//               Python spells them; host only.
// print_format: the same of code for the GPU, by one call of printf with a format that says
//               everything but the numbers: %lld, %llu, %f, and %s for True and False.
// On the host both are flushed, so that a line keeps its place among what Python itself prints.
// Tested by tests/run/test_print.py.
#pragma once

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pyk/complex.h"
#include "pyk/optional.h"
#include "pyk/tuple.h"

namespace pyk {

namespace detail {

// Numbers have a point while this lives, whatever locale the program has set.
class point_in_numbers {
 public:
  point_in_numbers() {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t());
    before_ = uselocale(plain);
  }
  ~point_in_numbers() { uselocale(before_); }
  point_in_numbers(const point_in_numbers&) = delete;

 private:
  locale_t before_;
};

// The shortest digits that read back as the same number; `e` from 1e16 up and below 1e-4.
template <class F>
[[maybe_unused]] static inline void print_float(F x, bool with_point = true) {
  if (x != x) return (void)fputs("nan", stdout);
  if (x - x != F(0)) return (void)fputs(x < 0 ? "-inf" : "inf", stdout);
  char text[40];
  const int most = sizeof(F) == 4 ? 9 : 17;
  for (int precision = 1; precision <= most; ++precision) {
    snprintf(text, sizeof(text), "%.*e", precision - 1, double(x));
    const F back = sizeof(F) == 4 ? F(strtof(text, nullptr)) : F(strtod(text, nullptr));
    if (back == x) break;
  }
  char* e = strchr(text, 'e');
  const int exponent = atoi(e + 1);
  if (exponent >= -4 && exponent < 16) {
    int digits = int(e - text) - (text[0] == '-') - 1;  // behind the point of d.ddd
    if (digits < 0 || text[(text[0] == '-') + 1] == 'e')
      digits = 0;
    else if (digits > 0)
      --digits;
    const int places = digits - exponent > 0 ? digits - exponent : with_point ? 1 : 0;
    printf("%.*f", places, double(x));
  } else {
    fputs(text, stdout);
  }
}

template <class T>
void print_item(T x) {
  if constexpr (std::is_same<T, bool>::value) {
    fputs(x ? "True" : "False", stdout);
  } else if constexpr (is_float<T>) {
    print_float(x);
  } else if constexpr (is_signed<T>) {
    printf("%lld", static_cast<long long>(x));
  } else {
    printf("%llu", static_cast<unsigned long long>(x));
  }
}
[[maybe_unused]] static inline void print_item(const char* text) { fputs(text, stdout); }
template <class F>
void print_item(complex<F> z) {
  const bool real = z.re != F(0) || std::signbit(z.re);
  if (real) fputc('(', stdout), print_float(z.re, false);
  if (real && !std::signbit(z.im)) fputc('+', stdout);
  print_float(z.im, false);
  fputs(real ? "j)" : "j", stdout);
}
template <class... T>
void print_item(const tuple<T...>& t);
template <class T>
void print_item(const optional<T>& x) {
  if (x.has)
    print_item(x.value);
  else
    fputs("None", stdout);
}
// As repr() spells it, where that differs: text.
template <class T>
void print_repr(const T& x) {
  print_item(x);
}
[[maybe_unused]] static inline void print_repr(const char* text) {
  const char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';
  fputc(quote, stdout);
  for (; *text; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (*text == '\n' || *text == '\t' || *text == '\r') {
      printf("\\%c", *text == '\n' ? 'n' : *text == '\t' ? 't' : 'r');
    } else if (byte < 32 || byte == 127) {
      printf("\\x%02x", byte);
    } else {
      if (*text == quote || *text == '\\') fputc('\\', stdout);
      fputc(*text, stdout);
    }
  }
  fputc(quote, stdout);
}
template <class... T, size_t... I>
void print_tuple(const tuple<T...>& t, std::index_sequence<I...>) {
  fputc('(', stdout);
  ((fputs(I ? ", " : "", stdout), print_repr(get<I>(t))), ...);
  fputs(sizeof...(T) == 1 ? ",)" : ")", stdout);
}
template <class... T>
void print_item(const tuple<T...>& t) {
  print_tuple(t, std::index_sequence_for<T...>());
}

}  // namespace detail

template <class... T>
void print(const T&... items) {
  const detail::point_in_numbers locale;
  bool first = true;
  ((first ? void() : void(fputc(' ', stdout)), first = false, detail::print_item(items)), ...);
  fputc('\n', stdout);
  fflush(stdout);
}

namespace detail {

// What C's variable arguments take it as.
template <class T>
PYK_FN auto format_arg(T x) {
  if constexpr (std::is_same<T, bool>::value) {
    return x ? "True" : "False";
  } else if constexpr (is_float<T>) {
    return double(x);
  } else if constexpr (is_signed<T>) {
    return static_cast<long long>(x);
  } else {
    return static_cast<unsigned long long>(x);
  }
}

}  // namespace detail

template <class... T>
PYK_FN void print_format(const char* format, T... items) {
#ifndef __CUDA_ARCH__
  const detail::point_in_numbers locale;
#endif
  // Without the 0, which nothing prints, -Wformat-security takes a text for a mistake.
  printf(format, detail::format_arg(items)..., 0);
#ifndef __CUDA_ARCH__
  fflush(stdout);
#endif
}

}  // namespace pyk
