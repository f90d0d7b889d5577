// Which modules a run makes: one per file, or one of all files, each with a name that Python can
// import.
//
// In:   Options.  Out: modules; PK6004 and PK6005 about names.
// Tested by tests/run/test_names.py and test_directory.py.
#pragma once

#include <string>
#include <vector>

#include "cmd/pyk2cu/options.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

struct Module {
  std::string name;
  std::vector<std::string> paths{};
};

// A file that is given twice counts once. Empty, with a diagnostic, when --module is no name.
std::vector<Module> plan_modules(const Options& options, Diagnostics& diags);

}  // namespace pyk2cu::cmd
