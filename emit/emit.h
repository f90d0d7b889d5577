// The facade of the last room: a typed program in, files out.
//
// In:   ir::Program, which gets its symbols here and loses what cannot be compiled, and Options.
// Out:  Bundle.
// Tested by tests/golden and everything in tests/run.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "emit/bundle.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::emit {

struct Options {
  bool line_directives = false;     // -g: #line before every statement
  bool strict_fp = false;           // --fp=strict
  bool lanes = true;                // --no-lanes: loops as the source has them
  int gang = 0;                     // --gang: lanes of every gang; 0: as many as suit the types
  std::string march{};              // "", "native", "x86-64-v3": for the build files
  std::vector<std::string> arch{};  // sm_80, …: for the build files
  std::string dump_after{};         // name of a lowering pass, or empty
  bool c_api = false;               // <module>.c.h and what stands behind it
  bool verify = false;              // check the IR after every pass
  bool keep_going = false;          // leave out functions with errors, and what calls them
};

// What Options::dump_after may name, in the order in which they run.
std::vector<std::string> pass_names();

// The whole of emission: lower, print each target, make the module and the build files.
Bundle emit(ir::Program& program, const Options& options, Diagnostics& diags);

// Takes these functions (by the begin of their spans) and all that call them out of the entries;
// callers are noted in program.left_out. False when no entry reaches one of them.
bool leave_out(ir::Program& program, const std::set<uint32_t>& failed);

}  // namespace pyk2cu::emit
