// What one run writes into its directory: the files of every module and the build files for all
// modules that lie there.
//
// In:   bundles; the manifests in the directory.  Out: files, each with a path of its own; PK6003
//       where two modules claim one.
// Rule: a directory is a project. A run adds its modules to it, or replaces those of the same name;
//       the build files build all whose manifest and sources are there. Take a module out by
//       deleting its files.
// Tested by tests/run/test_directory.py.
#pragma once

#include <string>
#include <vector>

#include "emit/bundle.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::cmd {

struct Made {
  emit::Bundle bundle{};
  std::string source{};  // the file it was made from, as the user gave it
  ir::Program program{};
  std::string folder{};  // below the output directory
};

// False, with a diagnostic for each pair of modules that would overwrite one another's files: also
// where only a file system without capitals takes the paths for one.
bool check_collisions(const std::vector<Made>& all, const std::string& directory,
                      Diagnostics& diags);

// Every file once, the build files last. Reads the directory, which nobody else may change.
std::vector<emit::OutputFile> collect_outputs(const std::vector<Made>& all,
                                              const std::string& directory);

}  // namespace pyk2cu::cmd
