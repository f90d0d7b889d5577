// UTF-8, as far as diagnostics need it: stepping by code points and the width of one on a terminal.
//
// In:   bytes, valid or not (a bad byte counts as one code point, U+FFFD).  Out: code points,
// columns. Tested by tests/unit/frontend/base_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyk2cu {

// The code point that begins at text[at]; moves `at` behind it. Needs at < text.size().
char32_t next_code_point(std::string_view text, size_t& at);

// How many code points.
int count_code_points(std::string_view text);

// Columns of a terminal that it fills: 0 (combining), 1, or 2 (East Asian wide, emoji).
int display_width(char32_t c);

// The bytes of one code point.
void append_utf8(std::string& out, char32_t c);

}  // namespace pyk2cu
