// Whether what is written to a stream may have colour.
//
// Tested by tests/run/test_cli.py and test_check.py.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace pyk2cu::cmd {

// `choice`: auto, always or never. auto: on a terminal, unless NO_COLOR is set.
inline bool wants_color(int stream, std::string_view choice = "auto") {
  if (choice != "auto") return choice == "always";
  return std::getenv("NO_COLOR") == nullptr && isatty(stream) != 0;
}

}  // namespace pyk2cu::cmd
