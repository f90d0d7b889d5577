// The extension module: tables of entry points for runtime_headers/pyk/python.
//
// In:   ir::Program.  Out: <module>.module.cpp, one row per overload: the machinery is generic.
// Tested by tests/unit/emit/pyext_test.cpp and tests/run/test_module.py.
#pragma once

#include <string>
#include <vector>

#include "emit/bundle.h"
#include "emit/emit.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::pyext {

std::vector<emit::OutputFile> make_module(const ir::Program& program, const emit::Options& options);

// `float64(float64[:], int64)`, as users write it.
std::string signature_of(const ir::Overload& overload);

}  // namespace pyk2cu::pyext
