// All loaded source text and where each byte offset of the global space lies.
//
// In:   files (path and text).  Out: text of a span; file, line and column of an offset.
// Signature strings given on the command line are files too (path "--sig 'TEXT'"), so that carets
// work there.
// Tested by tests/unit/frontend/base_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/span.h"

namespace pyk2cu {

struct Location {
  std::string_view path;
  std::string_view name;  // SourceFile::name
  int line = 0;           // from 1; 0 when there is no place
  int column = 0;         // from 1, in code points
};

struct SourceFile {
  std::string path;               // as the user gave it, or found through an import
  std::string text;               // UTF-8, decoded, without byte order mark
  uint32_t base = 0;              // global offset of text[0]
  std::vector<uint32_t> lines{};  // local offset at which each line begins
  std::string name{};  // what generated files call it: relative to the source root, so that they
                       // do not depend on where that lies
};

class SourceMap {
 public:
  // Adds a file; the result is stable. Its first byte has global offset `base` (never 0).
  // Without a `name` it is called by its path.
  const SourceFile& add(std::string path, std::string text, std::string name = {});

  const SourceFile* find(uint32_t offset) const;  // null for offset 0
  Location locate(uint32_t offset) const;
  std::string_view text(Span span) const;             // may cross lines
  std::string_view line_text(uint32_t offset) const;  // without the line break
  const std::deque<SourceFile>& files() const { return files_; }

 private:
  std::deque<SourceFile> files_;
  uint32_t next_ = 1;
};

}  // namespace pyk2cu
