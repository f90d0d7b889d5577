// Names of Python's module builtins: see python.h. Tested by tests/run/test_exceptions.py.
#include "typeinfer/builtins/python.h"

#include <algorithm>
#include <optional>

namespace pyk2cu::builtins {

namespace {

enum class What : uint8_t { kException, kFunction, kOther };
struct Known {
  std::string_view name;
  What what;
};

constexpr Known kNames[] = {
#define EXCEPTION(name) {#name, What::kException},
#define FUNCTION(name) {#name, What::kFunction},
#define NAME(name) {#name, What::kOther},
#include "typeinfer/builtins/python.def"
#undef EXCEPTION
#undef FUNCTION
#undef NAME
};

std::optional<What> find(std::string_view name) {
  const auto* known = std::ranges::find(kNames, name, &Known::name);
  return known == std::end(kNames) ? std::nullopt : std::optional(known->what);
}

}  // namespace

bool is_python_exception(std::string_view name) { return find(name) == What::kException; }
bool sounds_like_exception(std::string_view name) {
  return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning");
}
bool is_python_function(std::string_view name) { return find(name) == What::kFunction; }
bool is_python_name(std::string_view name) { return find(name).has_value(); }

std::vector<std::string_view> python_functions() {
  std::vector<std::string_view> all;
  for (const Known& one : kNames)
    if (one.what == What::kFunction) all.push_back(one.name);
  return all;
}

}  // namespace pyk2cu::builtins
