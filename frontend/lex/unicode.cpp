// Unpacks the generated tables; UTF-8; normalisation form KC.
//
// In:   unicode_tables.inc, numbers in base 32 (see make_unicode_tables.py).
//   kXidStart, kXidContinue, kPrintable   distances between the code points where the answer
//   changes kDecompositions    per character: distance, length, first (signed distance), rest; full
//   NFKD, no Hangul kCompositions      per pair: distance to the composite, first, second
//   kCombiningClasses  per character: distance, class
// Out:  sorted vectors, built once.  Tested by tests/unit/frontend/lex_unicode_test.cpp.
#include "frontend/lex/unicode.h"

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/lex/packed.h"

namespace pyk2cu::unicode {
namespace {

#include "frontend/lex/unicode_tables.inc"

using Reader = PackedReader;
using Edges = std::vector<uint32_t>;

Edges edges(std::string_view table) {
  Edges out;
  uint32_t at = 0;
  for (Reader in(table); in.more();) out.push_back(at += in.number());
  return out;
}

bool inside(const Edges& sorted, uint32_t c) {
  return (std::upper_bound(sorted.begin(), sorted.end(), c) - sorted.begin()) % 2 == 1;
}

struct Normalisation {
  std::map<uint32_t, std::u32string> decomposition;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> composition;
  std::map<uint32_t, uint32_t> combining_class;

  Normalisation() {
    uint32_t c = 0, first = 0;
    for (Reader in(kDecompositions); in.more();) {
      c += in.number();
      const uint32_t length = in.number();
      first += static_cast<uint32_t>(in.signed_number());
      std::u32string& text = decomposition[c];
      text.push_back(first);
      for (uint32_t i = 1; i < length; ++i) text.push_back(in.number());
    }
    c = 0;
    for (Reader in(kCompositions); in.more();) {
      c += in.number();
      const uint32_t a = in.number();
      composition[{a, in.number()}] = c;
    }
    c = 0;
    for (Reader in(kCombiningClasses); in.more();) {
      c += in.number();
      combining_class[c] = in.number();
    }
  }

  uint32_t class_of(uint32_t at) const {
    const auto found = combining_class.find(at);
    return found == combining_class.end() ? 0 : found->second;
  }
};

constexpr uint32_t kS = 0xAC00, kL = 0x1100, kV = 0x1161, kT = 0x11A7;  // Hangul
constexpr uint32_t kLs = 19, kVs = 21, kTs = 28, kSs = kLs * kVs * kTs;

std::u32string decompose(std::string_view text, const Normalisation& tables) {
  std::u32string out;
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const uint32_t c = decode(p, end);
    if (c >= kS && c < kS + kSs) {
      const uint32_t s = c - kS;
      out += {kL + s / (kVs * kTs), kV + s % (kVs * kTs) / kTs};
      if (s % kTs) out += kT + s % kTs;
    } else if (const auto found = tables.decomposition.find(c);
               found != tables.decomposition.end()) {
      out += found->second;
    } else {
      out += c;
    }
  }
  return out;
}

void reorder(std::u32string& text, const Normalisation& tables) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && tables.class_of(text[end]) != 0) ++end;
    std::stable_sort(
        text.begin() + static_cast<long>(i), text.begin() + static_cast<long>(end),
        [&](char32_t a, char32_t b) { return tables.class_of(a) < tables.class_of(b); });
    i = end + 1;
  }
}

uint32_t compose_pair(uint32_t a, uint32_t b, const Normalisation& tables) {
  if (a >= kL && a < kL + kLs && b >= kV && b < kV + kVs)
    return kS + ((a - kL) * kVs + (b - kV)) * kTs;
  if (a >= kS && a < kS + kSs && (a - kS) % kTs == 0 && b > kT && b < kT + kTs) return a + (b - kT);
  const auto found = tables.composition.find({a, b});
  return found == tables.composition.end() ? 0 : found->second;
}

void compose(std::u32string& text, const Normalisation& tables) {
  std::u32string out;
  size_t starter = std::u32string::npos;
  uint32_t last_class = 0;
  for (const char32_t c : text) {
    const uint32_t k = tables.class_of(c);
    const bool adjacent = starter != std::u32string::npos && starter + 1 == out.size();
    if (starter != std::u32string::npos && (adjacent || last_class < k)) {
      if (const uint32_t joined = compose_pair(out[starter], c, tables)) {
        out[starter] = joined;
        continue;
      }
    }
    if (k == 0) starter = out.size();
    last_class = k;
    out += c;
  }
  text = out;
}

}  // namespace

uint32_t decode(const char*& at, const char* end) {
  const auto byte = [&](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(at[i])); };
  const uint32_t b = byte(0);
  const int length = b < 0x80 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
  if (end - at < length) {
    at = end;
    return 0xFFFD;
  }
  uint32_t c = length == 1 ? b : b & (0xFFu >> (length + 1));
  for (int i = 1; i < length; ++i) c = c << 6 | (byte(i) & 0x3F);
  at += length;
  return c;
}

void append(std::string& to, uint32_t c) {
  auto byte = [&](uint32_t b) { to += static_cast<char>(b); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

size_t first_invalid(std::string_view text) {
  const size_t n = text.size();
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  for (size_t i = 0; i < n;) {
    const unsigned b = byte(i);
    if (b < 0x80) {
      ++i;
      continue;
    }
    const size_t length = b >= 0xC2 && b < 0xE0   ? 2
                          : b >= 0xE0 && b < 0xF0 ? 3
                          : b >= 0xF0 && b < 0xF5 ? 4
                                                  : 0;
    if (length == 0 || i + length > n) return i;
    for (size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    const unsigned second = byte(i + 1);
    if ((b == 0xE0 && second < 0xA0) || (b == 0xED && second >= 0xA0) ||
        (b == 0xF0 && second < 0x90) || (b == 0xF4 && second >= 0x90))
      return i;
    i += length;
  }
  return std::string_view::npos;
}

bool is_xid_start(uint32_t c) {
  static const Edges table = edges(kXidStart);
  return inside(table, c);
}

bool is_xid_continue(uint32_t c) {
  static const Edges table = edges(kXidContinue);
  return inside(table, c);
}

bool is_printable(uint32_t c) {
  static const Edges table = edges(kPrintable);
  return inside(table, c);
}

std::string nfkc(std::string_view identifier) {
  static const Normalisation tables;
  std::u32string text = decompose(identifier, tables);
  reorder(text, tables);
  compose(text, tables);
  std::string out;
  for (const char32_t c : text) append(out, c);
  return out;
}

}  // namespace pyk2cu::unicode
