// Python's repr(): floats by their shortest digits, strings with Python's choice of quotes and
// escapes.
//
// In:   literal values.  Out: text.
// Tested by tests/unit/frontend/dump_test.cpp.
#include "frontend/ast/repr.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "frontend/lex/unicode.h"

namespace pyk2cu::ast {
namespace {

// Shortest digits that read back as the same value, in CPython's form; ".0" is added where asked.
std::string float_text(double value, bool add_point) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  std::string out;
  if (text[0] == '-') out = "-", text.remove_prefix(1);
  const size_t e = text.find('e');
  int exponent = 0;
  const char* digits_of_exponent = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, text.data() + text.size(), exponent);
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1) out += "." + digits.substr(1);
    return out + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0)
    return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto before = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= before)
    return out + digits + std::string(before - digits.size(), '0') + (add_point ? ".0" : "");
  return out + digits.substr(0, before) + "." + digits.substr(before);
}

char quote_for(std::string_view text) {
  const bool single = text.find('\'') != text.npos, twice = text.find('"') != text.npos;
  return single && !twice ? '"' : '\'';
}

// What str and bytes escape alike; false if the character is not one of those.
bool append_escaped(std::string& out, uint32_t c, char quote) {
  switch (c) {
    case '\\':
      out += "\\\\";
      return true;
    case '\n':
      out += "\\n";
      return true;
    case '\r':
      out += "\\r";
      return true;
    case '\t':
      out += "\\t";
      return true;
    default:
      break;
  }
  if (c == static_cast<uint32_t>(quote)) {
    out += '\\';
    out += quote;
    return true;
  }
  if (c >= ' ' && c < 127) {
    out += static_cast<char>(c);
    return true;
  }
  return false;
}

}  // namespace

std::string repr(double value) { return float_text(value, true); }

std::string repr_str(std::string_view text) {
  const char quote = quote_for(text);
  std::string out(1, quote);
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const char* start = p;
    const uint32_t c = unicode::decode(p, end);
    if (append_escaped(out, c, quote)) continue;
    if (c >= 128 && unicode::is_printable(c)) {
      out.append(start, p);
    } else {
      out += c < 0x100     ? fmt::format("\\x{:02x}", c)
             : c < 0x10000 ? fmt::format("\\u{:04x}", c)
                           : fmt::format("\\U{:08x}", c);
    }
  }
  return out + quote;
}

std::string repr_bytes(std::string_view bytes) {
  const char quote = quote_for(bytes);
  std::string out = "b";
  out += quote;
  for (const char b : bytes) {
    const auto c = static_cast<unsigned char>(b);
    if (!append_escaped(out, c, quote)) out += fmt::format("\\x{:02x}", c);
  }
  return out + quote;
}

std::string repr(const ConstantValue& v) {
  switch (v.tag) {
    case ConstantValue::kNone:
      return "None";
    case ConstantValue::kBool:
      return v.boolean ? "True" : "False";
    case ConstantValue::kInt:
      return fmt::format("{}", v.integer);
    case ConstantValue::kBigInt:
      return std::string(v.text);
    case ConstantValue::kFloat:
      return repr(v.number);
    case ConstantValue::kImaginary:
      return float_text(v.number, false) + "j";
    case ConstantValue::kStr:
      return repr_str(v.text);
    case ConstantValue::kBytes:
      return repr_bytes(v.text);
    case ConstantValue::kEllipsis:
      return "Ellipsis";
  }
  return {};
}

}  // namespace pyk2cu::ast
