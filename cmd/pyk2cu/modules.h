// Which modules a run makes: one per file, or one of all files, each with a name that Python can
// import.
//
// A directory stands for the Python files of the package in it, which keep their places:
// pkg/sub/a.py becomes the module `a` in DIR/pkg/sub.
//
// In:   Options.  Out: modules; PK6004 and PK6005 about names.
// Tested by tests/run/test_names.py, test_directory.py and test_projects.py.
#pragma once

#include <string>
#include <vector>

#include "cmd/pyk2cu/options.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

struct Module {
  std::string name;
  std::vector<std::string> paths{};
  std::string folder{};   // below the output directory: that of a file found in a directory
  bool is_found = false;  // in a directory: may hold nothing to compile
};

// A file that is given twice counts once. Empty, with a diagnostic, when --module is no name.
std::vector<Module> plan_modules(const Options& options, Diagnostics& diags);

}  // namespace pyk2cu::cmd
