// The extension module: tables of entry points for runtime_headers/pyk/python.
//
// In:   the typed program, the lowered one.  Out: <module>.module.cpp, one row per overload: the
// machinery is generic.
// Tested by tests/unit/emit/pyext_test.cpp and tests/run/test_module.py.
#pragma once

#include <string>
#include <vector>

#include "emit/bundle.h"
#include "emit/lower/lower.h"
#include "typeinfer/ir/ir.h"

namespace pyk2cu::pyext {

// `has_sites`: the table of places that raise is defined. `has_bodies`: some functions have one for
// each instruction set.
emit::OutputFile make_module(const ir::Program& program, const emit::Lowered& lowered,
                             bool has_sites, bool has_bodies);

// `float64(float64[:], int64)`, as users write it.
std::string signature_of(const ir::Overload& overload);

// `sum2d<pyk::C>`, how C++ names the function of a variant of a lowered program.
std::string symbol_of(const ir::Variant& variant);

}  // namespace pyk2cu::pyext
