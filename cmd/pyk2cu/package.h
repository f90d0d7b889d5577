// The Python files of a directory that may hold kernels.
//
// In:   a directory.  Out: its *.py files and those of its packages, sorted.
// Rule: what is no part of a package is left out: hidden folders, tests (`tests/`, `test_*.py`,
//       `*_test.py`, conftest.py), caches, virtual environments, `build/` and `dist/`, setup.py. A
//       file that is named on the command line is never left out.
// Tested by tests/run/test_check.py and test_projects.py.
#pragma once

#include <string>
#include <vector>

namespace pyk2cu::cmd {

struct PackageFile {
  std::string path{};
  std::string folder{};  // of the file, from the directory's own name on: "pkg/sub"; else empty
};

bool is_directory(const std::string& path);

// The directory without a name of its own (`.`, `..`) counts with its real one.
std::vector<PackageFile> find_python_files(const std::string& directory);

}  // namespace pyk2cu::cmd
