// Text around signatures: comments, lines of kernels.sig, where a comment stands.
//
// In:   text.  Out: parts of it (views into the same text). Pure functions.
// Tested by tests/unit/typeinfer/roots_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pyk2cu::decorators {

std::string_view trim(std::string_view text);

// A line of kernels.sig without its `# comment` and blanks.
std::string_view strip_comment(std::string_view line);

// "f(float32)" of "# pyk2cu: sig f(float32)", else "".
std::string_view sig_comment(std::string_view comment);

// "pkg/mod.py" of `pkg/mod.py: f(float64)`, `mod.py:12(float64)` and of the section `pkg/mod.py:`;
// what stands behind the colon is the rest. Without a file, the whole line is the rest. In a
// section, `:12(float64)` has an empty file.
struct FileLine {
  std::string_view file{};
  std::string_view rest{};
};
FileLine split_file(std::string_view line);

// The parts of `f(float32[:], i4)`, `float64 f(float64)`, `f = float64(float64)`, `(float32)`.
struct SigLine {
  std::string_view name{};    // "f", "Class.method", "12" (a line); empty: nameless
  std::string_view result{};  // "float64" when it stands before the name
  bool may_be_type = false;   // `float64(float64)`: the name may be the result type
};
SigLine split_sig(std::string_view line);

// "f4" of "(f4)"; "" when the text is anything but one item in parentheses.
std::string_view single_item(std::string_view text);

// Is there only blank space before this offset on its line?
bool stands_alone(std::string_view text, uint32_t offset);
// The offset of what follows after blank space and comments.
uint32_t next_code(std::string_view text, uint32_t offset);

}  // namespace pyk2cu::decorators
