// The values of number literals, and constants.
//
// In:   a number token.  Out: a Constant: int (any size), float or imaginary.
// Rule: integers beyond 64 bits are kept as decimal digits; more than 4300 decimal digits are
// refused,
//       as CPython does.
// Tested by tests/unit/frontend/parse_literal_test.cpp.
#include <charconv>
#include <cstdlib>

#include "frontend/parse/parser_impl.h"

namespace pyk2cu::frontend {
namespace {

constexpr size_t kMaxDecimalDigits = 4300, kMaxRadixDigits = 20000;

std::string without_underscores(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '_') out += c;
  return out;
}

unsigned digit_value(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

// Digits of base 2, 8 or 16 as decimal text.
std::string to_decimal(std::string_view digits, unsigned base) {
  std::vector<uint32_t> limbs{0};  // base 1e9, least significant first
  for (const char c : digits) {
    uint64_t carry = digit_value(c);
    for (uint32_t& limb : limbs) {
      carry += uint64_t{limb} * base;
      limb = static_cast<uint32_t>(carry % 1000000000);
      carry /= 1000000000;
    }
    if (carry) limbs.push_back(static_cast<uint32_t>(carry));
  }
  std::string out = fmt::format("{}", limbs.back());
  for (size_t i = limbs.size() - 1; i-- > 0;) out += fmt::format("{:09}", limbs[i]);
  return out;
}

double to_double(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range: strtod knows infinity and zero.
  return error == std::errc() ? value : std::strtod(text.c_str(), nullptr);
}

}  // namespace

Expr* Parser::constant(Span where, ConstantValue value, Symbol prefix) {
  return make<Constant>(where, value, prefix);
}

Expr* Parser::number() {
  const Token& token = *tok_;
  std::string digits = without_underscores(text(token));
  const Span where = span(token);
  next();
  ConstantValue value;
  unsigned base = 10;
  if (digits.size() > 2 && digits[0] == '0' && digits[1] > '9' && (digits[1] | 32) != 'e' &&
      (digits[1] | 32) != 'j') {
    base = (digits[1] | 32) == 'x' ? 16 : (digits[1] | 32) == 'o' ? 8 : 2;
    digits.erase(0, 2);
  }
  if (base == 10 && digits.find_first_of(".eEjJ") != std::string::npos) {
    value.tag = ConstantValue::kFloat;
    if ((digits.back() | 32) == 'j') value.tag = ConstantValue::kImaginary, digits.pop_back();
    value.number = to_double(digits);
    return constant(where, value);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits.size() > (base == 10 ? kMaxDecimalDigits : kMaxRadixDigits)) {
    fail(where,
         fmt::format("Exceeds the limit ({} digits) for integer string conversion: value has "
                     "{} digits",
                     base == 10 ? kMaxDecimalDigits : kMaxRadixDigits, digits.size()),
         Mistake::kLiteral);
    return nothing();
  }
  const char* end = digits.data() + digits.size();
  value.tag = ConstantValue::kInt;
  const auto [stop, error] =
      std::from_chars(digits.data(), end, value.integer, static_cast<int>(base));
  if (error == std::errc::result_out_of_range) {
    value.tag = ConstantValue::kBigInt;
    value.integer = 0;
    const std::string decimal = base == 10 ? digits : to_decimal(digits, base);
    value.text = arena_.copy(std::string_view(decimal));
    value.number = to_double(decimal);
  } else {
    value.number = static_cast<double>(value.integer);
  }
  return constant(where, value);
}

}  // namespace pyk2cu::frontend
