// Build files and descriptions of a module: CMakeLists.txt, setup.py, pyproject.toml, stub,
// manifest.
//
// In:   ir::Program and the source files made so far.  Out: files beside them.
// Tested by tests/unit/emit/pyext_test.cpp and tests/run/test_module.py.
#pragma once

#include <string>
#include <vector>

#include "emit/bundle.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::project {

// The flags that make emitted files fast; without them they mean the same.
std::vector<std::string> cpu_flags(const emit::Options& options);
// On top where the compiler is GCC: Clang refuses them and does not need them.
std::vector<std::string> gcc_flags();
// What `<module>_fast.cpp`, the functions under fastmath=True, gets on top.
std::vector<std::string> fast_flags();
bool is_fast_file(const std::string& path);
// For nvcc: -gencode pairs, of sm_80, sm_90 and PTX when the user names no architecture.
std::vector<std::string> cuda_flags(const emit::Options& options);

// `files`: everything emitted before, so that the build files can list it.
std::vector<emit::OutputFile> make_project(const ir::Program& program, const emit::Lowered& lowered,
                                           const emit::Options& options,
                                           const std::vector<emit::OutputFile>& files);

// The single files; make_project calls them.
std::string stub_text(const ir::Program& program);
std::string manifest_text(const ir::Program& program, const emit::Lowered& lowered,
                          const emit::Options& options,
                          const std::vector<emit::OutputFile>& files);

}  // namespace pyk2cu::project
