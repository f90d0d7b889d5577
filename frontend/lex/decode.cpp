// From the bytes of a file to text: byte order mark, encoding cookie (PEP 263), decoding.
//
// In:   raw bytes.  Out: a file of the source map in UTF-8.
// Rule: as CPython: UTF-8 unless line 1 or 2 says otherwise; a byte order mark means UTF-8.
// Tested by tests/unit/frontend/lex_decode_test.cpp.
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "frontend/lex/unicode.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::frontend {
namespace {

// The 0x80–0x9F of Windows code page 1252; 0 where it has no character.
constexpr uint16_t kCp1252High[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
// What ISO 8859-15 has in place of ISO 8859-1's characters.
constexpr struct {
  unsigned char byte;
  uint16_t character;
} kLatin9Changes[] = {{0xA4, 0x20AC}, {0xA6, 0x0160}, {0xA8, 0x0161}, {0xB4, 0x017D},
                      {0xB8, 0x017E}, {0xBC, 0x0152}, {0xBD, 0x0153}, {0xBE, 0x0178}};
// KOI8-R's upper half begins with box drawing, then Cyrillic; koi8_r() has the rest.
constexpr uint16_t kKoi8rHigh[64] = {
    0x2500, 0x2502, 0x250C, 0x2510, 0x2514, 0x2518, 0x251C, 0x2524, 0x252C, 0x2534, 0x253C,
    0x2580, 0x2584, 0x2588, 0x258C, 0x2590, 0x2591, 0x2592, 0x2593, 0x2320, 0x25A0, 0x2219,
    0x221A, 0x2248, 0x2264, 0x2265, 0x00A0, 0x2321, 0x00B0, 0x00B2, 0x00B7, 0x00F7, 0x2550,
    0x2551, 0x2552, 0x0451, 0x2553, 0x2554, 0x2555, 0x2556, 0x2557, 0x2558, 0x2559, 0x255A,
    0x255B, 0x255C, 0x255D, 0x255E, 0x255F, 0x2560, 0x2561, 0x0401, 0x2562, 0x2563, 0x2564,
    0x2565, 0x2566, 0x2567, 0x2568, 0x2569, 0x256A, 0x256B, 0x256C, 0x00A9};
// Lower case Cyrillic in KOI8 order, as distances from U+0430; upper case is 0x20 below.
constexpr unsigned char kKoi8Letters[32] = {30, 0,  1,  22, 4,  5,  20, 3,  21, 8,  9,
                                            10, 11, 12, 13, 14, 15, 31, 16, 17, 18, 19,
                                            6,  2,  28, 27, 7,  24, 29, 25, 23, 26};

enum class Encoding { kUtf8, kLatin1, kAscii, kCp1252, kLatin9, kKoi8r, kUnknown };

struct Line {
  std::string_view text;
  size_t end;
};

Line line_at(std::string_view bytes, size_t begin) {
  size_t end = begin;
  while (end < bytes.size() && bytes[end] != '\n' && bytes[end] != '\r') ++end;
  const Line line{bytes.substr(begin, end - begin), end};
  return line;
}

// The encoding that a line names, if it is `# … coding: name`.
std::optional<std::string> cookie(std::string_view line) {
  size_t i = line.find_first_not_of(" \t\f");
  if (i == line.npos || line[i] != '#') return {};
  for (i = line.find("coding", i); i != line.npos; i = line.find("coding", i + 1)) {
    size_t at = i + 6;
    if (at >= line.size() || (line[at] != ':' && line[at] != '=')) continue;
    ++at;
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    std::string name;
    for (; at < line.size(); ++at) {
      const auto c = static_cast<unsigned char>(line[at]);
      if (!std::isalnum(c) && c != '-' && c != '_' && c != '.') break;
      name += static_cast<char>(std::tolower(c == '_' ? '-' : c));
    }
    if (!name.empty()) return name;
  }
  return {};
}

Encoding encoding_of(const std::string& name) {
  static constexpr struct {
    std::string_view name;
    Encoding encoding;
  } kNames[] = {{"utf-8", Encoding::kUtf8},
                {"utf8", Encoding::kUtf8},
                {"u8", Encoding::kUtf8},
                {"utf", Encoding::kUtf8},
                {"utf-8-sig", Encoding::kUtf8},
                {"latin-1", Encoding::kLatin1},
                {"latin1", Encoding::kLatin1},
                {"iso-8859-1", Encoding::kLatin1},
                {"iso8859-1", Encoding::kLatin1},
                {"8859", Encoding::kLatin1},
                {"l1", Encoding::kLatin1},
                {"latin", Encoding::kLatin1},
                {"ascii", Encoding::kAscii},
                {"us-ascii", Encoding::kAscii},
                {"646", Encoding::kAscii},
                {"cp1252", Encoding::kCp1252},
                {"windows-1252", Encoding::kCp1252},
                {"1252", Encoding::kCp1252},
                {"iso-8859-15", Encoding::kLatin9},
                {"iso8859-15", Encoding::kLatin9},
                {"latin-9", Encoding::kLatin9},
                {"latin9", Encoding::kLatin9},
                {"koi8-r", Encoding::kKoi8r}};
  for (const auto& row : kNames)
    if (row.name == name) return row.encoding;
  // "utf-8-unix" and "latin-1-dos" name the same encodings, as in Emacs.
  if (name.starts_with("utf-8-")) return Encoding::kUtf8;
  if (name.starts_with("latin-1-") || name.starts_with("iso-8859-1-")) return Encoding::kLatin1;
  return Encoding::kUnknown;
}

// 0: the byte has no meaning in this encoding.
uint32_t character(unsigned char b, Encoding encoding) {
  if (b < 0x80) return b;
  switch (encoding) {
    case Encoding::kAscii:
      return 0;
    case Encoding::kCp1252:
      return b < 0xA0 ? kCp1252High[b - 0x80] : b;
    case Encoding::kKoi8r:
      if (b < 0xC0) return kKoi8rHigh[b - 0x80];
      return 0x430u + kKoi8Letters[b & 31] - (b >= 0xE0 ? 0x20u : 0u);
    case Encoding::kLatin9:
      for (const auto& row : kLatin9Changes)
        if (row.byte == b) return row.character;
      return b;
    default:
      return b;
  }
}

struct Decoded {
  std::string text;
  size_t bad = std::string::npos;  // in text: the first place that could not be decoded
  unsigned char bad_byte = 0;
};

Decoded decode(std::string_view bytes, Encoding encoding) {
  Decoded out;
  auto bad = [&](char b) {
    if (out.bad == std::string::npos)
      out.bad = out.text.size(), out.bad_byte = static_cast<unsigned char>(b);
    unicode::append(out.text, 0xFFFD);
  };
  if (encoding != Encoding::kUtf8) {
    for (const char b : bytes) {
      const uint32_t c = character(static_cast<unsigned char>(b), encoding);
      c || b == 0 ? unicode::append(out.text, c) : bad(b);
    }
    return out;
  }
  for (;;) {
    const size_t i = unicode::first_invalid(bytes);
    out.text += bytes.substr(0, i);
    if (i == bytes.npos) return out;
    bad(bytes[i]);
    bytes.remove_prefix(i + 1);
  }
}

}  // namespace

const SourceFile& add_source(SourceMap& map, std::string path, std::string_view bytes,
                             Diagnostics& diags, std::string name_in_output) {
  const bool mark = bytes.starts_with("\xEF\xBB\xBF");
  if (mark) bytes.remove_prefix(3);
  const Line one = line_at(bytes, 0);
  std::optional<std::string> name = cookie(one.text);
  size_t where = 0;
  const size_t content = one.text.find_first_not_of(" \t\f");
  if (!name && (content == one.text.npos || one.text[content] == '#') && one.end < bytes.size()) {
    where = one.end + (bytes.substr(one.end).starts_with("\r\n") ? 2 : 1);
    name = cookie(line_at(bytes, where).text);
  }
  Encoding encoding = name ? encoding_of(*name) : Encoding::kUtf8;
  const bool unknown = encoding == Encoding::kUnknown;
  const bool contradicts =
      mark && !unknown && name && *name != "utf-8" && !name->starts_with("utf-8-");
  if (unknown || contradicts) encoding = Encoding::kUtf8;
  Decoded decoded = decode(bytes, encoding);
  const SourceFile& file =
      map.add(std::move(path), std::move(decoded.text), std::move(name_in_output));
  if (unknown || contradicts) {
    const size_t found = file.text.find(*name, where);  // absent when written with capitals
    const bool shown = found != std::string::npos;
    const auto at = file.base + static_cast<uint32_t>(shown ? found : where);
    diags.report({at, at + static_cast<uint32_t>(shown ? name->size() : 1)}, diag::BadEncoding,
                 unknown ? fmt::format("unknown encoding: {}", *name)
                         : fmt::format("encoding problem: {} with BOM", *name));
  } else if (decoded.bad != std::string::npos) {
    const auto at = file.base + static_cast<uint32_t>(decoded.bad);
    diags
        .report({at, at + 3}, diag::BadEncoding,
                fmt::format("(unicode error) '{}' codec can't decode byte 0x{:02x}",
                            name ? *name : "utf-8", decoded.bad_byte))
        .help("save the file as UTF-8, or name its encoding: `# -*- coding: latin-1 -*-`");
  }
  return file;
}

}  // namespace pyk2cu::frontend
