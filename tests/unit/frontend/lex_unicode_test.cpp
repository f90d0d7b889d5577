// UTF-8, identifiers, printable characters, normalisation, characters by name.
#include <doctest/doctest.h>

#include "frontend/lex/unicode.h"

namespace pyk2cu::unicode {

TEST_CASE("the first byte that is not UTF-8 is found") {
  const struct {
    std::string_view text;
    size_t bad;
  } rows[] = {{"abc", std::string_view::npos},
              {"\xC3\xA9\xF0\x9F\x98\x80", std::string_view::npos},
              {"a\xFF", 1},
              {"\xC0\x80", 0},          // overlong
              {"ab\xED\xA0\x80", 2},    // surrogate
              {"\xF4\x90\x80\x80", 0},  // beyond U+10FFFF
              {"abc\xE2\x82", 3}};
  for (const auto& row : rows) CHECK(first_invalid(row.text) == row.bad);
}

TEST_CASE("identifiers and printable characters are Python's") {
  for (const uint32_t c : {0xE9u, 0x3B1u, 0x4E00u, 0x1D400u, 0x212Eu, 0x10FFu})
    CHECK(is_xid_start(c));
  for (const uint32_t c : {0xB7u, 0x300u, 0x660u, 0x203Fu}) {
    CHECK(is_xid_continue(c));
    CHECK_FALSE(is_xid_start(c));
  }
  for (const uint32_t c : {0x20ACu, 0x201Cu, 0x1F600u}) CHECK_FALSE(is_xid_continue(c));
  for (const uint32_t c : {0xE9u, 0x20ACu, 0x1F600u}) CHECK(is_printable(c));
  for (const uint32_t c : {0x85u, 0xADu, 0x200Bu, 0x2028u, 0xD800u, 0xE000u})
    CHECK_FALSE(is_printable(c));
}

TEST_CASE("identifiers are brought to form KC") {
  const struct {
    std::string_view from, to;
  } rows[] = {{"\uFB01", "fi"},
              {"e\u0301", "\u00E9"},
              {"\u212A", "K"},
              {"\U0001D431", "x"},
              {"a\u0323\u0307", "\u1EA1\u0307"},
              {"a\u0307\u0323", "\u1EA1\u0307"},
              {"\u1100\u1161\u11A8", "\uAC01"},
              {"\uAC01", "\uAC01"},
              {"\u017F\u0323\u0307", "\u1E69"}};
  for (const auto& row : rows) CHECK(nfkc(row.from) == row.to);
}

TEST_CASE("characters have names") {
  const struct {
    std::string_view name, text;
  } rows[] = {{"GREEK SMALL LETTER ALPHA", "\u03B1"},
              {"degree sign", "\u00B0"},
              {"LINE FEED", "\n"},
              {"CJK UNIFIED IDEOGRAPH-4E00", "\u4E00"},
              {"CJK COMPATIBILITY IDEOGRAPH-F900", "\uF900"},
              {"HANGUL SYLLABLE GAG", "\uAC01"},
              {"HANGUL SYLLABLE A", "\uC544"},
              {"PILE OF POO", "\U0001F4A9"}};
  for (const auto& row : rows) {
    std::string out;
    CHECK(append_named(out, row.name));
    CHECK(out == row.text);
  }
  std::string out;
  for (const char* name : {"", "ALPHA GREEK", "CJK UNIFIED IDEOGRAPH-0041", "HANGUL SYLLABLE XX"})
    CHECK_FALSE(append_named(out, name));
}

}  // namespace pyk2cu::unicode
