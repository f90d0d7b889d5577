// round(x, digits) of a double as CPython computes it: exact in decimal, rounded twice in all.
//
// x * 10**digits, exactly, to the nearest whole number, ties to even; that number / 10**digits to
// the nearest double. Up to 10**22 the scale is a double and an fma shows what a product or
// quotient lost; beyond that the numbers are computed in full. What is too large is inf.
// Tested by tests/run/test_round.py and tests/builtins/builtins.cases.
#pragma once

#include "pyk/config.h"

namespace pyk::detail {

// 10**n for 0 <= n <= 22, all exact.
PYK_FN double power_of_ten(int n) {
  double result = 1, base = 10;
  for (; n != 0; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return result;
}

// scaled + error, an exact product or quotient below 2**53, to the nearest whole number.
PYK_FN double round_exact(double scaled, double error) {
  const double whole = ::rint(scaled);
  const double fraction = scaled - whole;
  if (fraction == 0.5 && error > 0) return whole + 1;
  if (fraction == -0.5 && error < 0) return whole - 1;
  return whole;
}

// top * 2**exponent and, where `more`, something less than 2**exponent; 2**63 <= top.
struct leading {
  uint64_t top;
  int exponent;
  bool more;
};

// m * 5**n, -308 <= n <= 323, m > 0.
PYK_FN leading times_power_of_five(uint64_t m, int n) {
  constexpr int kLimbs = 26;                // 64 bits of m, 750 of 5**323
  constexpr uint64_t kFive13 = 1220703125;  // 5**13, the last power below 2**32
  uint32_t limb[kLimbs] = {};               // the lowest first
  int exponent = 0;
  for (; m >> 63 == 0; m <<= 1) --exponent;
  const int at = n < 0 ? kLimbs - 2 : 0;
  limb[at] = uint32_t(m);
  limb[at + 1] = uint32_t(m >> 32);
  exponent -= 32 * at;
  bool more = false;
  for (int left = n < 0 ? -n : n; left > 0; left -= 13) {
    uint64_t factor = kFive13;
    if (left < 13) {
      factor = 1;
      for (int i = 0; i < left; ++i) factor *= 5;
    }
    uint64_t carry = 0;
    for (int i = 0; i < kLimbs; ++i) {
      if (n < 0) {
        const uint64_t part = carry << 32 | limb[kLimbs - 1 - i];
        limb[kLimbs - 1 - i] = uint32_t(part / factor);
        carry = part % factor;
      } else {
        carry += limb[i] * factor;
        limb[i] = uint32_t(carry);
        carry >>= 32;
      }
    }
    more = more || (n < 0 && carry != 0);
  }
  int high = kLimbs - 1;
  while (limb[high] == 0) --high;
  uint64_t top = uint64_t(limb[high]) << 32 | limb[high - 1];
  uint64_t next = high > 1 ? limb[high - 2] : 0;
  exponent += 32 * (high - 1);
  for (; top >> 63 == 0; --exponent) {
    top = top << 1 | next >> 31;
    next = next << 1 & 0xffffffff;
  }
  for (int i = 0; i < high - 2; ++i) more = more || limb[i] != 0;
  return {top, exponent, more || next != 0};
}

// How often 2**unit goes into it, to the nearest whole number, ties to even; unit > exponent.
PYK_FN uint64_t count_of(const leading& value, int unit) {
  const int shift = unit - value.exponent;
  if (shift > 64) return 0;
  const uint64_t whole = shift == 64 ? 0 : value.top >> shift;
  const uint64_t rest = value.top << (64 - shift), half = uint64_t(1) << 63;
  const bool up = rest > half || (rest == half && (value.more || (whole & 1) != 0));
  return whole + (up ? 1 : 0);
}

// round_digits() for any x and |digits| whose power of ten is no double.
PYK_FN double round_far(double x, int digits) {
  int exponent = 0;
  const auto mantissa = uint64_t(::ldexp(::frexp(::fabs(x), &exponent), 53));
  leading scaled = times_power_of_five(mantissa, digits);
  scaled.exponent += exponent - 53 + digits;
  if (scaled.exponent > -10) return x;  // 2**54 or more: 10**-digits is less than x's last place
  const uint64_t whole = count_of(scaled, 0);
  if (whole == 0) return ::copysign(0.0, x);
  leading result = times_power_of_five(whole, -digits);
  result.exponent -= digits;
  const int last = result.exponent + 11 < -1074 ? -1074 : result.exponent + 11;
  return ::copysign(::ldexp(double(count_of(result, last)), last), x);
}

PYK_FN double round_digits(double x, int64_t digits) {
  if (!(::fabs(x) <= largest<double>) || x == 0 || digits > 323) return x;
  if (digits < -308) return ::copysign(0.0, x);
  if (digits < -22 || digits > 22) return round_far(x, int(digits));
  const double scale = power_of_ten(int(digits < 0 ? -digits : digits));
  const double scaled = digits < 0 ? x / scale : x * scale;
  if (::fabs(scaled) >= 0x1p53) return x;
  if (digits < 0) {
    const double error = ::fma(-scaled, scale, x);  // has the sign of what the quotient lost
    return ::copysign(round_exact(scaled, error) * scale, x);
  }
  return ::copysign(round_exact(scaled, ::fma(x, scale, -scaled)) / scale, x);
}

}  // namespace pyk::detail
