// Constants as C++ text: see literal.h.
//
// A negative number is a unary expression; the least integers have names, since C++ has no literal
// for them. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/literal.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pyk2cu::emit {

namespace {

// "1" -> "1.0", "1e+20" -> "1e20"
std::string with_point(std::string digits) {
  const size_t plus = digits.find("e+");
  if (plus != std::string::npos) digits.erase(plus + 1, 1);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

}  // namespace

Code int_literal(int64_t bits, const types::Type* type) {
  if (type->is_int() && !type->is_signed) {
    const uint64_t value = type->bits == 64
                               ? static_cast<uint64_t>(bits)
                               : static_cast<uint64_t>(bits) & ((uint64_t{1} << type->bits) - 1);
    // Of 64 bits where C++ would take 32: `4000000000u * x` is computed in those of x then.
    const bool is_short = type->bits == 64 && value <= 0xffffffff;
    return {fmt::format("{}{}", value, value <= 0x7fffffff ? "" : is_short ? "ul" : "u")};
  }
  if (bits == std::numeric_limits<int64_t>::min()) return {"INT64_MIN"};
  if (type->bits <= 32 && bits == std::numeric_limits<int32_t>::min()) return {"INT32_MIN"};
  return {fmt::format("{}", bits), bits < 0 ? Prec::kUnary : Prec::kPrimary};
}

Code float_literal(double value, int bits) {
  const char* name = bits == 32 ? "float" : "double";
  if (std::isnan(value)) return {fmt::format("pyk::not_a_number<{}>", name)};
  const Prec prec = std::signbit(value) ? Prec::kUnary : Prec::kPrimary;
  if (std::isinf(value))
    return {fmt::format("{}pyk::infinity<{}>", value < 0 ? "-" : "", name), prec};
  if (bits == 32) return {with_point(fmt::format("{}", static_cast<float>(value))) + "f", prec};
  return {with_point(fmt::format("{}", value)), prec};
}

std::string string_literal(std::string_view utf8) {
  std::string out = "\"";
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    const bool hex = byte < 32 && c != '\n' && c != '\t';
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (hex || byte == 127)
      out += fmt::format("\\{:03o}", byte);
    else if (c == '?' && !out.empty() && out.back() == '?')
      out += "\\?";
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace pyk2cu::emit
