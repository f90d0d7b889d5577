// Files laid end to end in one space of offsets, with a gap of one byte between them.
//
// In:   text of files; offsets.  Out: file, line and column of an offset; text of spans.
// Rule: a line ends with \n, \r\n or \r, as in Python; the offset of a file's end belongs to it.
// Tested by tests/unit/frontend/base_test.cpp.
#include "frontend/base/source_map.h"

#include <algorithm>
#include <utility>

#include "frontend/base/utf8.h"

namespace pyk2cu {

namespace {

std::vector<uint32_t> line_starts(std::string_view text) {
  std::vector<uint32_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\n' || text[i] == '\r') starts.push_back(static_cast<uint32_t>(i + 1));
  }
  return starts;
}

// Index of the line that holds a local offset.
size_t line_index(const SourceFile& file, uint32_t local) {
  const auto after = std::upper_bound(file.lines.begin(), file.lines.end(), local);
  return static_cast<size_t>(after - file.lines.begin()) - 1;
}

}  // namespace

const SourceFile& SourceMap::add(std::string path, std::string text, std::string name) {
  SourceFile& file = files_.emplace_back(SourceFile{std::move(path), std::move(text), next_});
  file.lines = line_starts(file.text);
  file.name = name.empty() ? file.path : std::move(name);
  next_ += static_cast<uint32_t>(file.text.size()) + 1;
  return file;
}

const SourceFile* SourceMap::find(uint32_t offset) const {
  if (offset == 0 || offset >= next_) return nullptr;
  const auto after =
      std::upper_bound(files_.begin(), files_.end(), offset,
                       [](uint32_t at, const SourceFile& file) { return at < file.base; });
  return after == files_.begin() ? nullptr : &*(after - 1);
}

Location SourceMap::locate(uint32_t offset) const {
  const SourceFile* file = find(offset);
  if (!file) return {};
  const uint32_t local = offset - file->base;
  const size_t line = line_index(*file, local);
  const uint32_t start = file->lines[line];
  const auto before = std::string_view(file->text).substr(start, local - start);
  return {file->path, file->name, static_cast<int>(line) + 1, count_code_points(before) + 1};
}

std::string_view SourceMap::text(Span span) const {
  const SourceFile* file = find(span.begin);
  if (!file || span.end < span.begin) return {};
  const size_t local = span.begin - file->base;
  return std::string_view(file->text).substr(std::min(local, file->text.size()), span.size());
}

std::string_view SourceMap::line_text(uint32_t offset) const {
  const SourceFile* file = find(offset);
  if (!file) return {};
  const size_t line = line_index(*file, offset - file->base);
  const size_t start = file->lines[line];
  size_t end = line + 1 < file->lines.size() ? file->lines[line + 1] : file->text.size();
  while (end > start && (file->text[end - 1] == '\n' || file->text[end - 1] == '\r')) --end;
  return std::string_view(file->text).substr(start, end - start);
}

}  // namespace pyk2cu
