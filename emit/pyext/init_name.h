// The name of the function by which Python finds a module in a shared library (PEP 489).
//
// In:   a module's name.  Out: PyInit_kernels; PyInitU_ and Punycode for names that are not ASCII.
// Tested by tests/unit/emit/pyext_test.cpp and tests/run/test_names.py.
#pragma once

#include <string>
#include <string_view>

namespace pyk2cu::pyext {

std::string init_name(std::string_view module);

}  // namespace pyk2cu::pyext
