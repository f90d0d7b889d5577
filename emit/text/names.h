// C++ names for Python names: legal, unique in their scope, as near to the source as possible.
//
// In:   a Python identifier.  Out: the same, with a trailing `_` where C++ or <cstdint>, <cmath>
// and our own headers claim it; `name_2` where a scope has it already; ASCII only. Tested by
// tests/unit/emit/text_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace pyk2cu::emit {

std::string cpp_identifier(std::string_view python);
bool is_reserved(std::string_view name);

// The C++ namespace of a module: its name, with a `_` where C's library has a function of that
// name.
std::string namespace_name(std::string_view module);

class NameScope {
 public:
  void reserve(std::string name) { taken_.insert(std::move(name)); }
  bool is_taken(const std::string& name) const { return taken_.count(name) != 0; }
  std::string unique(std::string_view wanted);  // and takes it

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace pyk2cu::emit
