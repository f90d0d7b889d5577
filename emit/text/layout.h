// Breaks lines that are too long, at the marks in their text (code.h).
//
// In:   marked text, the indentation of its first line.  Out: lines, without marks.
// A group that does not fit is filled: its breaks become ends of lines where what follows does not
// fit any more, and its lines go on at the column where it began, or, where that is far to the
// right, four columns deeper than the statement. Tested by tests/unit/emit/text_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyk2cu::emit {

constexpr int kColumns = 100;

struct Line {
  int indent = 0;
  std::string text;
};
std::vector<Line> lay_out(std::string_view marked, int indent);

}  // namespace pyk2cu::emit
