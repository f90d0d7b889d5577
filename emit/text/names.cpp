// Spells Python's names in C++: see names.h.
//
// In:   identifiers.  Out: identifiers. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/names.h"

#include <fmt/format.h>

#include "frontend/base/utf8.h"

namespace pyk2cu::emit {

std::string ascii_name(std::string_view python) {
  std::string out;
  for (size_t i = 0; i < python.size();) {
    const auto byte = static_cast<unsigned char>(python[i]);
    if (byte < 128) {
      const bool word =
          byte == '_' || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
      out += word ? python[i] : '_';
      ++i;
    } else {
      out += fmt::format("u{:04x}", static_cast<uint32_t>(next_code_point(python, i)));
    }
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "_");
  return out;
}

std::string cpp_identifier(std::string_view python, NameFor use) {
  std::string out = ascii_name(python);
  const bool system =
      out.size() > 1 && out[0] == '_' && (out[1] == '_' || (out[1] >= 'A' && out[1] <= 'Z'));
  if (system) out.insert(0, "py");
  return unreserved(std::move(out), use);
}

std::string namespace_name(std::string_view module) {
  return cpp_identifier(module, NameFor::kNamespace);
}

std::string NameScope::unique(std::string_view wanted) {
  std::string name(wanted);
  if (taken_.insert(name).second) return name;
  int& n = last_.try_emplace(name, 1).first->second;
  do name = fmt::format("{}_{}", wanted, ++n);
  while (!taken_.insert(name).second);
  return name;
}

}  // namespace pyk2cu::emit
