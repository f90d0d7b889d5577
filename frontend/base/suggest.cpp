// Nearest names by Damerau-Levenshtein distance.
//
// In: a misspelt name, candidates.  Out: the likely one.
// Tested by tests/unit/frontend/base_test.cpp.
#include "frontend/base/suggest.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pyk2cu {

int edit_distance(std::string_view a, std::string_view b) {
  const size_t width = b.size() + 1;
  std::vector<int> before(width), above(width), row(width);
  for (size_t j = 0; j < width; ++j) above[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j < width; ++j) {
      const int cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string_view closest(std::string_view name, std::span<const std::string_view> candidates) {
  const auto lower = [](std::string_view text) {
    std::string out(text);
    for (char& c : out)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
  };
  const std::string low = lower(name);
  std::string_view best;
  const int limit = name.size() == 1 ? 1 : 2 * std::max<int>(1, static_cast<int>(name.size()) / 3);
  int least = limit + 1;
  for (const std::string_view candidate : candidates) {
    const int distance = edit_distance(name, candidate) + edit_distance(low, lower(candidate));
    if (distance < least) least = distance, best = candidate;
  }
  return best;
}

}  // namespace pyk2cu
