// Marks in pieces of C++: see code.h.
//
// In:   marked text.  Out: text. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/code.h"

#include <algorithm>

namespace pyk2cu::emit {

std::string group(std::string_view text) {
  const auto is_break = [](char c) { return c == mark::kBreak || c == mark::kCut; };
  if (std::ranges::none_of(text, is_break)) return std::string(text);
  std::string out;
  out.reserve(text.size() + 2);
  out += mark::kOpen;
  out += text;
  out += mark::kClose;
  return out;
}

std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
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
  if (!text_.empty()) {
    text_ += ',';
    text_ += mark::kBreak;
  }
  text_ += group(item);
}

std::string ListText::in(std::string_view open, std::string_view close) const {
  if (text_.empty()) return std::string(open) + std::string(close);
  return std::string(open) + mark::kCut + group(text_) + std::string(close);
}

}  // namespace pyk2cu::emit
