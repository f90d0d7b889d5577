// Functions of the library in Python, typeinfer/library: those of NumPy, and their helpers.
//
// In:   a name there: "linalg_inv".  Out: its definition; null where there is none, and in kernels.
// Tested by tests/run/test_numpy_library.py.
#pragma once

#include <string>

#include "typeinfer/infer/emitter.h"

namespace pyk2cu::infer {

const decorators::Definition* find_in_library(Emitter& in, const std::string& name);

}  // namespace pyk2cu::infer
