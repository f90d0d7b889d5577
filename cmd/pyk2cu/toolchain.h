// --build: runs the compilers on a written bundle and puts the module beside it.
//
// In:   the bundle and the directory it was written to.  Out: <module>.abi3.so there (renamed into
// place
//       when complete), <module>.fatbin where there is a .cu and nvcc; diagnostics PK601x, PK602x,
//       PK9002.
// Tested by tests/run/test_toolchain.py.
#pragma once

#include <string>

#include "emit/bundle.h"
#include "emit/emit.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::cmd {

struct BuildOptions {
  emit::Options emit{};  // march and arch
  std::string python{};  // --python
  int jobs = 0;          // 0: one per core
  bool debug = false;    // -g
  bool verbose = false;  // print the commands
  bool quiet = false;    // no progress
};

// Returns kOk, kToolchain (reported), or kInternal when the compiler rejected what we emitted.
int build(const emit::Bundle& bundle, const std::string& out_dir, const BuildOptions& options,
          Diagnostics& diags);

}  // namespace pyk2cu::cmd
