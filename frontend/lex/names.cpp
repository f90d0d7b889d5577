// Characters by name, for \N{…} in strings.
//
// In:   names_words_*.inc and names_*.inc (make_name_tables.py says how they are packed).
// Out:  a table from name to code point, built when the first name is looked up.
// Rule: as CPython 3.13: names and the common aliases, in any case. Ideographs are named by their
// code,
//       Hangul syllables by their letters.
// Tested by tests/unit/frontend/lex_unicode_test.cpp.
#include <charconv>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/lex/packed.h"
#include "frontend/lex/unicode.h"

namespace pyk2cu::unicode {
namespace {

#include "frontend/lex/names_1.inc"
#include "frontend/lex/names_2.inc"
#include "frontend/lex/names_3.inc"
#include "frontend/lex/names_4.inc"
#include "frontend/lex/names_5.inc"
#include "frontend/lex/names_words_1.inc"
#include "frontend/lex/names_words_2.inc"

using Names = std::unordered_map<std::string, uint32_t>;

std::vector<std::string> read_words() {
  const std::string table = std::string(kWords1).append(kWords2);
  std::vector<std::string> words;
  std::string word;
  for (PackedReader in(table); in.more();) {
    word.resize(in.number());
    for (char c = in.letter(); c != ' '; c = in.letter()) word += c;
    words.push_back(word);
  }
  return words;
}

Names read_names() {
  const std::vector<std::string> words = read_words();
  const std::string table =
      std::string(kNames1).append(kNames2).append(kNames3).append(kNames4).append(kNames5);
  Names names;
  uint32_t code = 0;
  std::vector<uint32_t> parts;
  for (PackedReader in(table); in.more();) {
    code += in.number();
    parts.resize(in.number());
    for (uint32_t n = in.number(); n > 0; --n) parts.push_back(in.number());
    std::string name;
    for (const uint32_t part : parts) {
      if (!name.empty()) name += ' ';
      name += words[part];
    }
    names.emplace(std::move(name), code);
  }
  return names;
}

struct Range {
  uint32_t first, last;
};
constexpr Range kUnified[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0x20000, 0x2A6DF},
                              {0x2A700, 0x2B739}, {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1},
                              {0x2CEB0, 0x2EBE0}, {0x2EBF0, 0x2EE5D}, {0x30000, 0x3134A},
                              {0x31350, 0x323AF}};
constexpr Range kCompatibility[] = {{0xF900, 0xFA6D}, {0xFA70, 0xFAD9}, {0x2F800, 0x2FA1D}};
constexpr Range kTangut[] = {{0x17000, 0x187F7}, {0x18D00, 0x18D08}};
constexpr Range kNushu[] = {{0x1B170, 0x1B2FB}};
constexpr Range kKhitan[] = {{0x18B00, 0x18CD5}};

// "CJK UNIFIED IDEOGRAPH-4E00"; 0 if it is no such name.
template <size_t N>
uint32_t by_code(std::string_view name, std::string_view prefix, const Range (&ranges)[N]) {
  if (!name.starts_with(prefix)) return 0;
  const std::string_view hex = name.substr(prefix.size());
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
  if (error != std::errc() || end != hex.data() + hex.size()) return 0;
  if (hex.size() != (code > 0xFFFF ? 5 : 4)) return 0;
  for (const Range& r : ranges)
    if (code >= r.first && code <= r.last) return code;
  return 0;
}

constexpr std::string_view kLeads[] = {"G",  "GG", "N", "D",  "DD", "R", "M", "B", "BB", "S",
                                       "SS", "",   "J", "JJ", "C",  "K", "T", "P", "H"};
constexpr std::string_view kVowels[] = {"A",   "AE", "YA", "YAE", "EO", "E",  "YEO",
                                        "YE",  "O",  "WA", "WAE", "OE", "YO", "U",
                                        "WEO", "WE", "WI", "YU",  "EU", "YI", "I"};
constexpr std::string_view kTails[] = {"",   "G",  "GG", "GS", "N",  "NJ", "NH", "D", "L",  "LG",
                                       "LM", "LB", "LS", "LT", "LP", "LH", "M",  "B", "BS", "S",
                                       "SS", "NG", "J",  "C",  "K",  "T",  "P",  "H"};

uint32_t hangul(std::string_view name) {
  constexpr std::string_view kPrefix = "HANGUL SYLLABLE ";
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  for (uint32_t s = 0; s < 19 * 21 * 28; ++s) {
    const std::string_view lead = kLeads[s / 588], vowel = kVowels[s % 588 / 28],
                           tail = kTails[s % 28];
    if (name.size() == lead.size() + vowel.size() + tail.size() && name.starts_with(lead) &&
        name.substr(lead.size()).starts_with(vowel) && name.ends_with(tail))
      return 0xAC00 + s;
  }
  return 0;
}

}  // namespace

bool append_named(std::string& to, std::string_view name) {
  static const Names names = read_names();
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  if (const auto found = names.find(upper); found != names.end()) {
    append(to, found->second);
    return true;
  }
  for (const uint32_t code :
       {by_code(upper, "CJK UNIFIED IDEOGRAPH-", kUnified),
        by_code(upper, "CJK COMPATIBILITY IDEOGRAPH-", kCompatibility),
        by_code(upper, "TANGUT IDEOGRAPH-", kTangut), by_code(upper, "NUSHU CHARACTER-", kNushu),
        by_code(upper, "KHITAN SMALL SCRIPT CHARACTER-", kKhitan), hangul(upper)}) {
    if (!code) continue;
    append(to, code);
    return true;
  }
  return false;
}

}  // namespace pyk2cu::unicode
