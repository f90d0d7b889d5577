// The C interface of a module: <module>.c.h and <module>.c.cpp, under --c-api.
//
// In:   a lowered program.  Out: two files: a header in plain C, and the functions behind it.
// Tested by tests/run/test_c_api.py.
#pragma once

#include <vector>

#include "emit/bundle.h"
#include "emit/lower/lower.h"

namespace pyk2cu::pyext {

std::vector<emit::OutputFile> make_c_api(const ir::Program& program, const emit::Lowered& lowered,
                                         bool has_sites);

}  // namespace pyk2cu::pyext
