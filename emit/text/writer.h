// Collects the lines of one file: indentation, blocks, and which Python source each line is for.
//
// In:   statements with marks (code.h) and spans.  Out: text and line map.
// Tested by tests/unit/emit/text_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/bundle.h"

namespace pyk2cu::emit {

class Writer {
 public:
  // One statement at the current indentation, laid out where it is too long. Empty text makes an
  // empty line.
  void line(std::string_view text);
  // A line at column 0: preprocessor directives of a file.
  void raw(std::string_view text);
  // `head body` on one line where it fits, else the body below, one level deeper.
  void joined(std::string_view head, std::string_view body);
  void open(std::string_view head);  // "head {" and one level deeper
  void close(std::string_view tail = "}");
  // "} else {": closes one block and opens the next.
  void reopen(std::string_view middle);
  void indent() { ++depth_; }
  void dedent() { --depth_; }

  // Lines from here on come from `span`.
  void source(Span span) { span_ = span; }

  int next_line() const { return lines_ + 1; }
  const std::string& text() const { return text_; }
  std::string take_text() { return std::move(text_); }
  std::vector<LineMapEntry> take_map() { return std::move(map_); }

 private:
  void put(std::string_view text, int indent);

  std::string text_;
  std::vector<LineMapEntry> map_;
  Span span_{};
  int depth_ = 0;
  int lines_ = 0;
};

}  // namespace pyk2cu::emit
