// "did you mean": the known name that is nearest to a misspelt one.
//
// In:   what was written, the names that would be right.  Out: the nearest, or "".
// Tested by tests/unit/frontend/base_test.cpp.
#pragma once

#include <span>
#include <string_view>

namespace pyk2cu {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

// The nearest candidate when it is near enough to be what was meant (a third of the letters, case
// counts half), else "". Ties go to the first.
std::string_view closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace pyk2cu
