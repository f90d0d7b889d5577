// Interned names: equal text means equal pointer, so comparison and hashing cost nothing.
//
// Symbols live for the whole process. Tested by tests/unit/frontend/base_test.cpp.
#pragma once

#include <functional>
#include <string_view>

namespace pyk2cu {

class Symbol {
 public:
  Symbol() = default;
  explicit Symbol(std::string_view text);  // interns

  std::string_view str() const { return text_ ? *text_ : std::string_view(); }
  explicit operator bool() const { return text_ != nullptr; }
  bool operator==(const Symbol&) const = default;
  bool operator==(std::string_view text) const { return str() == text; }
  const void* key() const { return text_; }

 private:
  const std::string_view* text_ = nullptr;
};

}  // namespace pyk2cu

template <>
struct std::hash<pyk2cu::Symbol> {
  size_t operator()(pyk2cu::Symbol s) const { return std::hash<const void*>()(s.key()); }
};
