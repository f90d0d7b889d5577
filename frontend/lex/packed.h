// Reads the numbers of the generated Unicode tables: base 32, the last digit of each from another
// alphabet (make_unicode_tables.py writes them).
#pragma once

#include <cstdint>
#include <string_view>

namespace pyk2cu::unicode {

class PackedReader {
 public:
  explicit PackedReader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}
  bool more() const { return at_ < end_; }
  char letter() { return *at_++; }

  uint32_t number() {
    uint32_t high = 0;
    for (;;) {
      const char c = *at_++;
      if (c >= 'A' && c <= 'Z') return high * 32 + static_cast<uint32_t>(c - 'A');
      if (c >= '0' && c <= '5') return high * 32 + static_cast<uint32_t>(c - '0' + 26);
      high = high * 32 + higher_digit(c);
    }
  }
  int signed_number() {
    const uint32_t n = number();
    return n % 2 ? -static_cast<int>(n / 2) - 1 : static_cast<int>(n / 2);
  }

 private:
  static uint32_t higher_digit(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a');
    if (c >= '6' && c <= '9') return static_cast<uint32_t>(c - '6' + 26);
    return c == '@' ? 30 : 31;
  }

  const char* at_;
  const char* end_;
};

}  // namespace pyk2cu::unicode
