// Marks in pieces of C++: see code.h.
//
// In:   marked text.  Out: text. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/code.h"

namespace pyk2cu::emit {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == mark::kBreak)
      out += ' ';
    else if (!mark::is_mark(c))
      out += c;
  return out;
}

char first_of(const Code& code) {
  for (const char c : code.text)
    if (!mark::is_mark(c)) return c;
  return 0;
}

void ListText::add(std::string_view item) {
  if (!text_.empty()) text_ += std::string(",") + mark::kBreak;
  text_ += group(item);
}

std::string ListText::in(std::string_view open, std::string_view close) const {
  if (text_.empty()) return std::string(open) + std::string(close);
  return std::string(open) + mark::kCut + group(text_) + std::string(close);
}

}  // namespace pyk2cu::emit
