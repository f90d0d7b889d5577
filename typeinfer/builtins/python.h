// Names of Python's module builtins; the table is python.def. Tested by
// tests/run/test_exceptions.py.
#pragma once

#include <string_view>
#include <vector>

namespace pyk2cu::builtins {

// ValueError, …: raised with whatever arguments.
bool is_python_exception(std::string_view name);
// SolverError, MyWarning: of a class of another package nothing but its name is known.
bool sounds_like_exception(std::string_view name);
// abs, len, sorted, …
std::vector<std::string_view> python_functions();
bool is_python_function(std::string_view name);
// All of these, UnicodeDecodeError, Ellipsis, …: what every file may read without binding it.
bool is_python_name(std::string_view name);

}  // namespace pyk2cu::builtins
