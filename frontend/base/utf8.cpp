// UTF-8 decoding that never fails, and a coarse East Asian width table.
//
// In: bytes.  Out: code points; U+FFFD for each byte that begins no valid sequence.
// Tested by tests/unit/frontend/base_test.cpp.
#include "frontend/base/utf8.h"

namespace pyk2cu {

char32_t next_code_point(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 && lead < 0xF8 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead >= 0xF8 || at + static_cast<size_t>(more) > text.size()) return 0xFFFD;
  char32_t c = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    const unsigned next = byte(at + static_cast<size_t>(i));
    if ((next & 0xC0) != 0x80) return 0xFFFD;
    c = (c << 6) | (next & 0x3F);
  }
  const char32_t least = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
  if (c < least || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0xFFFD;
  at += static_cast<size_t>(more);
  return c;
}

int count_code_points(std::string_view text) {
  int count = 0;
  for (size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

int display_width(char32_t c) {
  const struct {
    char32_t first, last;
    int width;
  } ranges[] = {
      {0x0300, 0x036F, 0},   {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},   {0xFE00, 0xFE0F, 0},
      {0x1100, 0x115F, 2},   {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
      {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},
      {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2}, {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2},
  };
  if (c < 0x300) return 1;
  for (const auto& range : ranges)
    if (c >= range.first && c <= range.last) return range.width;
  return 1;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  if (c < 0x10000)
    return put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F));
  put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
}

}  // namespace pyk2cu
