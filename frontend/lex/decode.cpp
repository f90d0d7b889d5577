// From the bytes of a file to text: byte order mark, encoding cookie (PEP 263), decoding.
//
// In:   raw bytes.  Out: a file of the source map in UTF-8.
// Rule: as CPython: UTF-8 unless line 1 or 2 says otherwise; a byte order mark means UTF-8. iconv
//       decodes all but UTF-8; where its tables differ from CPython's, kChanges says so.
// Tested by tests/unit/frontend/lex_decode_test.cpp and tests/run/test_packages.py.
#include <fmt/format.h>
#include <iconv.h>

#include <cctype>
#include <cerrno>
#include <memory>
#include <optional>

#include "frontend/lex/unicode.h"
#include "frontend/parse/parser.h"

namespace pyk2cu::frontend {
namespace {

struct Encoding {
  std::string_view codec, iconv, aliases;
};

constexpr Encoding kEncodings[] = {
#define ENCODING(codec, iconv, aliases) {#codec, iconv, aliases},
#include "frontend/lex/encodings.def"
#undef ENCODING
};

// Characters that CPython decodes otherwise than iconv does.
constexpr struct {
  std::string_view codec, from, to;
} kChanges[] = {
    {"big5", "\uFFE0", "\u00A2"},           {"big5", "\uFFE1", "\u00A3"},
    {"big5", "\uFFE5", "\u00A5"},           {"shift_jis", "\u00A5", "\\"},
    {"shift_jis", "\u203E", "~"},           {"shift_jis_2004", "\u2014", "\u2015"},
    {"shift_jisx0213", "\u2014", "\u2015"}, {"johab", "\u20A9", "\\"},
    {"mac_roman", "\u0394", "\u2206"},      {"mac_roman", "\uE01E", "\uF8FF"},
    {"mac_cyrillic", "\u00A4", "\u20AC"}};

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

bool has_word(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

// The encoding of a name in lower case, with dashes; null where it is unknown.
const Encoding* find_encoding(std::string name) {
  // "utf-8-unix" and "latin-1-dos" name the same encodings, as in Emacs.
  for (const std::string_view stem : {"utf-8", "latin-1", "iso-8859-1", "iso-latin-1"})
    if (name.starts_with(stem) && name.size() > stem.size() && name[stem.size()] == '-')
      name = stem == "utf-8" ? stem : "latin-1";
  if (name == "iso-latin-1") name = "latin-1";
  for (char& c : name) c = c == '-' ? '_' : c;
  for (const Encoding& row : kEncodings)
    if (row.codec == name || has_word(row.aliases, name)) return &row;
  return nullptr;
}

struct Decoded {
  std::string text;
  size_t bad = std::string::npos;  // in text: the first place that could not be decoded
  unsigned char bad_byte = 0;
};

// Bad bytes, one at a time, become U+FFFD.
void append_bad(Decoded& out, char b) {
  if (out.bad == std::string::npos)
    out.bad = out.text.size(), out.bad_byte = static_cast<unsigned char>(b);
  unicode::append(out.text, 0xFFFD);
}

Decoded decode_utf8(std::string_view bytes) {
  Decoded out;
  for (;;) {
    const size_t i = unicode::first_invalid(bytes);
    out.text += bytes.substr(0, i);
    if (i == bytes.npos) return out;
    append_bad(out, bytes[i]);
    bytes.remove_prefix(i + 1);
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Nothing where this machine's iconv does not know the encoding.
std::optional<Decoded> decode(std::string_view bytes, const Encoding& encoding) {
  if (encoding.iconv == "UTF-8") return decode_utf8(bytes);
  const iconv_t from = iconv_open("UTF-8", std::string(encoding.iconv).c_str());
  if (from == iconv_t(-1)) return std::nullopt;
  const std::unique_ptr<void, int (*)(iconv_t)> closing(from, iconv_close);
  Decoded out;
  std::string input(bytes);
  char* at = input.data();
  size_t left = input.size();
  for (bool flushing = false; left > 0 || !flushing;) {
    char buffer[4096];
    char* to = buffer;
    size_t space = sizeof buffer;
    flushing = left == 0;
    const size_t done = iconv(from, flushing ? nullptr : &at, &left, &to, &space);
    out.text.append(buffer, size_t(to - buffer));
    if (done != size_t(-1) || errno == E2BIG || left == 0) continue;
    append_bad(out, *at++);
    --left;
  }
  for (const auto& change : kChanges)
    if (change.codec == encoding.codec) replace_all(out.text, change.from, change.to);
  return out;
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
  const Encoding* encoding = find_encoding(name.value_or("utf-8"));
  std::optional<Decoded> read = encoding ? decode(bytes, *encoding) : std::nullopt;
  const bool unknown = !read;
  const bool contradicts = mark && !unknown && encoding->codec != "utf_8";
  const Decoded decoded = unknown || contradicts ? decode_utf8(bytes) : std::move(*read);
  const SourceFile& file = map.add(std::move(path), decoded.text, std::move(name_in_output));
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
