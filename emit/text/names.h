// C++ names for Python names: legal, unique in their scope, as near to the source as possible.
//
// In:   a Python identifier.  Out: the same, with a trailing `_` where C++, the headers that
//       generated code includes, or generated code itself claim it; `name_2` where a scope has it
//       already; ASCII only. reserved.cpp is the one list of what is claimed.
// Tested by tests/unit/emit/text_test.cpp and tests/run/test_names.py.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pyk2cu::emit {

// What a name is for. Each may clash with all that those before it may, and with more.
enum class NameFor : uint8_t {
  kLocal,     // parameters, variables: hide everything but keywords, macros and what text relies on
  kFunction,  // functions and arrays of the module's namespace: the module's file has Python's
              // macros
  kNamespace,  // the namespace itself: lies beside everything that C puts into the global one
};

bool is_reserved(std::string_view name, NameFor use);
// Does namespace pyk of the runtime headers have functions of that name? C++ looks at these too
// where an argument is an array or another type of pyk's, unless the name stands in parentheses.
bool is_in_runtime(std::string_view name);
// With a `_` behind it where it is reserved.
std::string unreserved(std::string name, NameFor use);
std::string cpp_identifier(std::string_view python, NameFor use = NameFor::kLocal);

// The C++ namespace of a module.
std::string namespace_name(std::string_view module);

// The identifier in ASCII, whether or not C++ claims it: größe -> gru00f6u00dfe.
std::string ascii_name(std::string_view python);

class NameScope {
 public:
  void reserve(std::string name) { taken_.insert(std::move(name)); }
  bool is_taken(const std::string& name) const { return taken_.count(name) != 0; }
  std::string unique(std::string_view wanted);  // and takes it

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> last_;  // number given to a name: the next one is free
};

}  // namespace pyk2cu::emit
