// Lines, blocks, and pragmas over several lines: see writer.h.
//
// Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/writer.h"

#include "emit/text/code.h"
#include "emit/text/layout.h"

namespace pyk2cu::emit {

void Writer::put(std::string_view text, int indent) {
  ++lines_;
  if (span_.valid()) map_.push_back({lines_, span_});
  if (!text.empty()) text_.append(static_cast<size_t>(indent), ' ');
  text_.append(text);
  text_.push_back('\n');
}

void Writer::line(std::string_view text) {
  if (text.empty()) return put(text, 0);
  const std::vector<Line> lines = lay_out(text, 2 * depth_);
  const bool pragma = text.starts_with("#pragma");
  for (size_t k = 0; k < lines.size(); ++k)
    put(pragma && k + 1 < lines.size() ? lines[k].text + " \\" : lines[k].text, lines[k].indent);
}

void Writer::raw(std::string_view text) { put(text, 0); }

void Writer::joined(std::string_view head, std::string_view body) {
  const std::string both = plain(head) + " " + plain(body);
  if (2 * depth_ + static_cast<int>(both.size()) <= kColumns) return put(both, 2 * depth_);
  line(head);
  ++depth_;
  line(body);
  --depth_;
}

void Writer::open(std::string_view head) {
  line(head.empty() ? "{" : std::string(head) + " {");
  ++depth_;
}

void Writer::close(std::string_view tail) {
  --depth_;
  line(tail);
}

void Writer::reopen(std::string_view middle) {
  --depth_;
  line("} " + std::string(middle) + " {");
  ++depth_;
}

}  // namespace pyk2cu::emit
