// Number tokens: which characters belong to one, and CPython's complaints about malformed ones.
//
// In:   the lexer at a digit, or at a point before one.  Out: a kNumber token, or an error.
// Tested by tests/unit/frontend/lex_test.cpp.
#include <fmt/format.h>

#include "frontend/lex/lexer.h"

namespace pyk2cu::frontend {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

void Lexer::number() {
  const char* start = p_;
  bool ok = true;
  const char x = p_[0] == '0' ? p_[1] : '\0';
  if (x == 'x' || x == 'X') {
    ok = radix_number(16, "hexadecimal");
  } else if (x == 'o' || x == 'O') {
    ok = radix_number(8, "octal");
  } else if (x == 'b' || x == 'B') {
    ok = radix_number(2, "binary");
  } else {
    bool integer = *p_ != '.';
    if (integer) ok = decimal_tail();
    const char* digits_end = p_;
    if (ok && *p_ == '.') {
      ++p_, integer = false;
      if (is_digit(*p_)) ok = decimal_tail();
    }
    const char* kind = "decimal";
    if (ok && (*p_ == 'e' || *p_ == 'E')) {
      const char* before = p_;
      ok = exponent();
      if (p_ != before) integer = false;
    }
    if (ok && (*p_ == 'j' || *p_ == 'J')) ++p_, integer = false, kind = "imaginary";
    if (ok && integer && *start == '0') {
      const char* zeros_end = start;
      while (zeros_end < digits_end && (*zeros_end == '0' || *zeros_end == '_')) ++zeros_end;
      if (zeros_end < digits_end) {
        error(Mistake::kLiteral, start, zeros_end,
              "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
              "octal integers");
        ok = false;
      }
    }
    ok = ok && number_ends(kind);
  }
  if (ok) return add(Tok::kNumber, start);
  while (is_digit(*p_) || is_letter(*p_)) ++p_;
}

// Digits, with single underscores between them. The first character is known to be a digit.
bool Lexer::decimal_tail() {
  for (;;) {
    while (is_digit(*p_)) ++p_;
    if (*p_ != '_') return true;
    ++p_;
    if (!is_digit(*p_)) {
      error(Mistake::kLiteral, p_ - 1, p_, "invalid decimal literal");
      return false;
    }
  }
}

bool Lexer::exponent() {
  const char* e = p_++;
  if (*p_ == '+' || *p_ == '-') {
    ++p_;
    if (!is_digit(*p_)) {
      error(Mistake::kLiteral, p_ - 1, p_, "invalid decimal literal");
      return false;
    }
  } else if (!is_digit(*p_)) {
    p_ = e;  // `1else`
    return true;
  }
  return decimal_tail();
}

bool Lexer::radix_number(int base, const char* kind) {
  auto is_ours = [&](char c) { return base == 16 ? is_hex(c) : c >= '0' && c < '0' + base; };
  auto bad_digit = [&] {
    error(Mistake::kLiteral, p_, p_ + 1,
          fmt::format("invalid digit '{}' in {} literal", *p_, kind));
    return false;
  };
  p_ += 2;
  do {
    if (*p_ == '_') ++p_;
    if (!is_ours(*p_)) {
      if (is_digit(*p_)) return bad_digit();
      error(Mistake::kLiteral, p_ - 1, p_, fmt::format("invalid {} literal", kind));
      return false;
    }
    while (is_ours(*p_)) ++p_;
  } while (*p_ == '_');
  if (is_digit(*p_)) return bad_digit();
  return number_ends(kind);
}

// A number may touch a keyword that can follow it (`1if x else y`), but no other letter.
bool Lexer::number_ends(const char* kind) {
  if (!is_letter(*p_)) return true;
  auto follows = [&](std::string_view word) {
    const std::string_view rest(p_, static_cast<size_t>(end_ - p_));
    return rest.starts_with(word) &&
           (rest.size() == word.size() ||
            !(is_letter(rest[word.size()]) || is_digit(rest[word.size()]) ||
              static_cast<unsigned char>(rest[word.size()]) >= 128));
  };
  if (follows("and") || follows("else") || follows("for") || follows("or") || follows("not"))
    return true;
  if (*p_ == 'i' && (p_[1] == 'f' || p_[1] == 'n' || p_[1] == 's')) return true;
  error(Mistake::kLiteral, p_, p_ + 1, fmt::format("invalid {} literal", kind));
  return false;
}

}  // namespace pyk2cu::frontend
