// Positions in source text: byte offsets in one global space shared by every loaded file.
//
// A Span is 8 bytes and carries no file pointer; SourceMap turns an offset into file, line and
// column on demand. Offset 0 belongs to no file, so Span{} means "no place".
#pragma once

#include <cstdint>

namespace pyk2cu {

struct Span {
  uint32_t begin = 0;  // offset of the first byte
  uint32_t end = 0;    // offset one past the last byte

  bool valid() const { return begin != 0; }
  uint32_t size() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

// The smallest span that holds both; an invalid one counts for nothing.
inline Span join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

}  // namespace pyk2cu
