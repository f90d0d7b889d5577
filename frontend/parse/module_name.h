// How Python calls the module that a file holds.
//
// In:   a path; a name.  Out: the module's name; a name that `import` can say.
// Tested by tests/unit/frontend/load_test.cpp and tests/run/test_names.py.
#pragma once

#include <string>
#include <string_view>

namespace pyk2cu::frontend {

// The file's stem; for `__init__.py` that of its folder.
std::string module_name(const std::string& path);

struct ModuleName {
  std::string text;
  bool is_exact = false;  // what was asked for, up to NFKC, which Python applies to names as well
};

// The name itself, or the nearest to it that is an identifier and no keyword: my-kernels ->
// my_kernels, 2d -> _2d, class -> class_.
ModuleName importable(std::string_view name);

}  // namespace pyk2cu::frontend
