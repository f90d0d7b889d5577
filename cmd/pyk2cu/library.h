// Functions of NumPy that are written in Python (typeinfer/library): compiled where one is called.
//
// In:   what was loaded.  Out: the same with the library's files behind it; their modules.
// Tested by tests/run/test_numpy_library.py.
#pragma once

#include "frontend/parse/load.h"

namespace pyk2cu::cmd {

std::vector<const ast::Module*> add_library(frontend::Loaded& loaded, SourceMap& sources,
                                            Diagnostics& diags);

}  // namespace pyk2cu::cmd
