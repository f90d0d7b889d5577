// Functions of NumPy that are written in Python (typeinfer/library): compiled where one is called.
//
// In:   what was loaded.  Out: the same with the library's file behind it; its module.
// Tested by tests/run/test_numpy_library.py.
#pragma once

#include "frontend/parse/load.h"

namespace pyk2cu::cmd {

const ast::Module* add_library(frontend::Loaded& loaded, SourceMap& sources, Diagnostics& diags);

}  // namespace pyk2cu::cmd
