// What stands beside the sources of a module: stub and manifest; and what builds all modules of a
// directory: CMakeLists.txt, setup.py, pyproject.toml.
//
// In:   ir::Program and the source files made so far; the manifests of a directory.
// Out:  files.
// Rule: a manifest says everything that building its module takes, so the build files are made from
//       manifests alone: of this run, and of earlier ones into the same directory.
// Tested by tests/unit/emit/pyext_test.cpp, tests/run/test_toolchain.py and test_directory.py.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/bundle.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::project {

// ---- flags: without them emitted files mean the same, and are slower ----
std::vector<std::string> cpu_flags(const emit::Options& options);
// On top where the compiler is GCC: Clang refuses them and does not need them.
std::vector<std::string> gcc_flags(const emit::Options& options);
// On top for this file: those of fastmath=True, or none.
std::vector<std::string> file_flags(const emit::OutputFile& file);
// On top of these on x86-64: the instruction set that the file is for, if it is for one, and what
// compilers must leave alone there.
std::vector<std::string> x86_64_flags(const emit::OutputFile& file, const emit::Options& options);
// For nvcc: -gencode pairs, of sm_80, sm_90 and PTX when the user names no architecture.
std::vector<std::string> cuda_flags(const emit::Options& options);

// ---- of one module ----
// <module>.pyi and <module>.json. `files`: everything emitted before, for the manifest to list.
std::vector<emit::OutputFile> make_descriptions(const ir::Program& program,
                                                const emit::Lowered& lowered,
                                                const emit::Options& options,
                                                const std::vector<emit::OutputFile>& files);
std::string stub_text(const ir::Program& program);
std::string manifest_text(const ir::Program& program, const emit::Lowered& lowered,
                          const emit::Options& options, const std::vector<emit::OutputFile>& files);

// ---- of a directory ----
// How to build one module, as its manifest says.
struct Recipe {
  struct Source {
    std::string path;
    std::vector<std::string> flags{};   // of this file alone
    std::vector<std::string> x86_64{};  // of this file on x86-64
  };
  std::string module;
  std::vector<Source> sources{};
  std::vector<std::string> cuda{};  // paths
  std::vector<std::string> flags{}, gcc_flags{}, cuda_flags{};
};

// Nothing where the text is no manifest of ours.
std::optional<Recipe> read_recipe(std::string_view manifest);

// CMakeLists.txt, setup.py and pyproject.toml for all these modules; they come in order of name.
std::vector<emit::OutputFile> make_build_files(std::vector<Recipe> recipes);

}  // namespace pyk2cu::project
