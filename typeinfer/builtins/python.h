// Names of Python's module builtins; the table is python.def. Tested by
// tests/run/test_exceptions.py.
#pragma once

#include <string_view>

namespace pyk2cu::builtins {

// ValueError, …: raised with whatever arguments.
bool is_python_exception(std::string_view name);
// len, ValueError, UnicodeDecodeError, …: what every file may read without binding it.
bool is_python_name(std::string_view name);

}  // namespace pyk2cu::builtins
