// Punycode (RFC 3492), in which Python spells the names of its init functions.
//
// The ASCII characters come first as they are; then, in order of code point, one number for every
// other character: how far to move on in the sequence of all (code point, position) pairs.
// Tested by tests/unit/emit/pyext_test.cpp.
#include "emit/pyext/init_name.h"

#include <algorithm>
#include <vector>

#include "frontend/base/utf8.h"

namespace pyk2cu::pyext {

namespace {

constexpr uint32_t kBase = 36, kLeast = 1, kMost = 26;

uint32_t adapt(uint32_t delta, uint32_t count, bool first) {
  delta = first ? delta / 700 : delta / 2;
  delta += delta / count;
  uint32_t k = 0;
  for (; delta > (kBase - kLeast) * kMost / 2; k += kBase) delta /= kBase - kLeast;
  return k + (kBase - kLeast + 1) * delta / (delta + 38);
}

// A number of variable length: digits a…z, 0…9, the lowest first.
void append_number(std::string& out, uint32_t number, uint32_t bias) {
  constexpr char kDigits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (uint32_t k = kBase;; k += kBase) {
    const uint32_t threshold = k <= bias ? kLeast : std::min(k - bias, kMost);
    if (number < threshold) break;
    out += kDigits[threshold + (number - threshold) % (kBase - threshold)];
    number = (number - threshold) / (kBase - threshold);
  }
  out += kDigits[number];
}

std::string punycode(const std::vector<char32_t>& text) {
  std::string out;
  for (const char32_t c : text)
    if (c < 128) out += static_cast<char>(c);
  uint32_t done = static_cast<uint32_t>(out.size());
  const uint32_t ascii = done;
  if (done > 0) out += '-';
  uint32_t next = 128, delta = 0, bias = 72;
  while (done < text.size()) {
    uint32_t least = 0x110000;
    for (const char32_t c : text)
      if (c >= next) least = std::min<uint32_t>(least, c);
    delta += (least - next) * (done + 1);
    for (const char32_t c : text) {
      delta += c < least;
      if (c != least) continue;
      append_number(out, delta, bias);
      bias = adapt(delta, done + 1, done == ascii);
      delta = 0;
      ++done;
    }
    ++delta;
    next = least + 1;
  }
  return out;
}

}  // namespace

std::string init_name(std::string_view module) {
  std::vector<char32_t> text;
  for (size_t at = 0; at < module.size();) text.push_back(next_code_point(module, at));
  const bool ascii = std::ranges::all_of(text, [](char32_t c) { return c < 128; });
  std::string name = ascii ? std::string(module) : punycode(text);
  std::ranges::replace(name, '-', '_');
  return (ascii ? "PyInit_" : "PyInitU_") + name;
}

}  // namespace pyk2cu::pyext
