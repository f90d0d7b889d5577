// Names of Python's module builtins: see python.h. Tested by tests/run/test_exceptions.py.
#include "typeinfer/builtins/python.h"

#include <algorithm>

namespace pyk2cu::builtins {

namespace {

constexpr std::string_view kExceptions[] = {
#define EXCEPTION(name) #name,
#define NAME(name)
#include "typeinfer/builtins/python.def"
#undef EXCEPTION
#undef NAME
};
constexpr std::string_view kOthers[] = {
#define EXCEPTION(name)
#define NAME(name) #name,
#include "typeinfer/builtins/python.def"
#undef EXCEPTION
#undef NAME
};

}  // namespace

bool is_python_exception(std::string_view name) {
  return std::ranges::find(kExceptions, name) != std::end(kExceptions);
}

bool is_python_name(std::string_view name) {
  return is_python_exception(name) || std::ranges::find(kOthers, name) != std::end(kOthers);
}

}  // namespace pyk2cu::builtins
