// `1 function`, `2 functions`: counts in messages.
//
// Tested by tests/unit/frontend/base_test.cpp.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace pyk2cu {

inline std::string counted(size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace pyk2cu
