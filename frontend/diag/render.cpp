// Draws diagnostics: head line, source line with gutter, underline, notes, fixes.
//
// In:   diagnostics and their sources.  Out: text.
// Rule: columns are counted in code points, underlines drawn in terminal cells (tabs expand to
//       multiples of 4, wide characters take 2), lines longer than `width` are clipped around the
//       span, and of a span over several lines the first and the last are shown.
// Tested by tests/unit/frontend/diag_test.cpp.
#include "frontend/diag/render.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "frontend/base/utf8.h"

namespace pyk2cu {

namespace {

// A source line as cells of a terminal; `begin` and `end` are the underlined cells.
struct Cells {
  std::vector<std::string> cells{};  // "" is the right half of a wide character
  size_t begin = 0, end = 0;
};

Cells lay_out(std::string_view line, size_t begin, size_t end) {
  Cells out;
  bool begun = false, ended = false;
  for (size_t at = 0; at < line.size();) {
    if (!begun && at >= begin) out.begin = out.cells.size(), begun = true;
    if (!ended && at >= end) out.end = out.cells.size(), ended = true;
    const size_t from = at;
    const char32_t c = next_code_point(line, at);
    if (c == '\t') {
      do out.cells.emplace_back(" ");
      while (out.cells.size() % 4 != 0);
    } else if (c < 0x20 || c == 0x7F) {
      out.cells.emplace_back("?");
    } else if (c == 0xFFFD) {
      out.cells.emplace_back("\xEF\xBF\xBD");
    } else if (display_width(c) == 0 && !out.cells.empty()) {
      out.cells.back() += line.substr(from, at - from);
    } else {
      out.cells.emplace_back(line.substr(from, at - from));
      if (display_width(c) == 2) out.cells.emplace_back();
    }
  }
  if (!begun) out.begin = out.cells.size();
  if (!ended) out.end = out.cells.size();
  out.end = std::max(out.end, out.begin + 1);  // an empty span still shows its place
  return out;
}

// Keeps `width` cells around the underlined ones; `…` stands where something was cut.
void clip(Cells& line, size_t width) {
  const size_t size = line.cells.size();
  if (size <= width || width < 20) return;
  size_t from = 0;
  if (line.end + 5 > width) {
    const size_t span = std::min(line.end - line.begin, width - 10);
    from = std::min(line.begin - std::min(line.begin, (width - span) / 2), size - width);
  }
  const size_t to = std::min(size, from + width);
  std::vector<std::string> kept(line.cells.begin() + static_cast<long>(from),
                                line.cells.begin() + static_cast<long>(to));
  if (from > 0) kept.front() = "…";
  if (to < size) kept.back() = "…";
  line.cells = std::move(kept);
  line.begin -= std::min(line.begin, from);
  line.end = std::clamp(line.end - std::min(line.end, from), line.begin + 1,
                        std::max(line.begin + 1, width));
}

class Renderer {
 public:
  Renderer(const SourceMap& sources, const RenderOptions& options)
      : sources_(sources), options_(options) {}

  void diagnostic(const Diagnostic& d) {
    function(d);
    head(d.span, d.severity, fmt::format("[{}]", code_name(d.code)), d.message);
    snippet(d.span, '^', d.severity);
    for (const Label& note : d.notes) {
      head(note.span, Severity::kNote, "", note.message);
      if (!note.is_item) snippet(note.span, '~', Severity::kNote);
    }
    for (const Fix& fix : d.fixes) trailer("fix", describe(fix, d));
    for (const std::string& hint : d.hints) trailer("help", hint);
    trailer("see", fmt::format("pyk2cu --explain {}", code_name(d.code)));
  }

  std::string take() { return std::move(out_); }

 private:
  static constexpr std::string_view kBold = "1", kBlue = "1;34";

  static std::string_view tone(Severity severity) {
    if (severity == Severity::kError) return "1;31";
    return severity == Severity::kWarning ? "1;35" : "1;36";
  }

  std::string paint(std::string_view code, std::string_view text) const {
    if (!options_.color || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }

  // path: in `f`, while compiling `g`:      once for neighbours; not where the message says it
  void function(const Diagnostic& d) {
    const auto key = std::pair(d.function, d.caller);
    const bool known = std::exchange(function_, key) == key;
    const bool named =
        d.caller.empty() && d.message.find("`" + d.function + "`") != std::string::npos;
    if (known || d.function.empty() || named) return;
    const std::string caller =
        d.caller.empty() ? "" : fmt::format(", while compiling `{}`", d.caller);
    out_ += fmt::format("{} in `{}`{}:\n",
                        paint(kBold, fmt::format("{}:", sources_.locate(d.span.begin).path)),
                        d.function, caller);
  }

  // path:line:col: error[PK0000]: message
  void head(Span span, Severity severity, std::string_view code, std::string_view message) {
    const Location at = sources_.locate(span.begin);
    const std::string place =
        at.line == 0 ? "pyk2cu:" : fmt::format("{}:{}:{}:", at.path, at.line, at.column);
    const std::string kind = fmt::format("{}{}:", severity_name(severity), code);
    const bool strong = severity != Severity::kNote;
    out_ += fmt::format("{} {} {}\n", paint(kBold, place), paint(tone(severity), kind),
                        strong ? paint(kBold, message) : std::string(message));
  }

  //    14 | text
  //       | ^^^^
  void snippet(Span span, char mark, Severity severity) {
    const SourceFile* file = sources_.find(span.begin);
    if (!file) return;
    const Location first = sources_.locate(span.begin);
    const Location last = sources_.locate(last_byte(span));
    if (first.line == last.line) return one_line(*file, first.line, span, mark, severity);
    one_line(*file, first.line, span, mark, severity);
    if (last.line > first.line + 1) out_ += "      ...\n";
    one_line(*file, last.line, span, mark, severity);
  }

  static uint32_t last_byte(Span span) { return span.end > span.begin ? span.end - 1 : span.begin; }

  // One line of a span: from its first blank-free column in the span to its last.
  void one_line(const SourceFile& file, int number, Span span, char mark, Severity severity) {
    const uint32_t start = file.base + file.lines[static_cast<size_t>(number - 1)];
    const std::string_view text = sources_.line_text(start);
    const auto column = [&](uint32_t offset) {
      return offset < start ? size_t{0} : std::min<size_t>(offset - start, text.size());
    };
    size_t begin = column(span.begin);
    if (span.begin < start) begin = std::min(text.find_first_not_of(" \t"), text.size());
    Cells line = lay_out(text, begin, std::max(begin, column(span.end)));
    clip(line, static_cast<size_t>(options_.width));
    std::string shown;
    for (const std::string& cell : line.cells) shown += cell;
    shown.erase(shown.find_last_not_of(" ") + 1);
    out_ += fmt::format("{} {}\n", paint(kBlue, fmt::format("{:>5} |", number)), shown);
    out_ += fmt::format("{} {}{}\n", paint(kBlue, "      |"), std::string(line.begin, ' '),
                        paint(tone(severity), std::string(line.end - line.begin, mark)));
  }

  void trailer(std::string_view kind, std::string_view text) {
    std::string shown;
    for (const char c : text) shown += c == '\n' ? "\n          " : std::string(1, c);
    out_ += fmt::format("      {} {}\n", paint(kBlue, fmt::format("= {}:", kind)), shown);
  }

  // Says what to replace unless the last snippet shown is just that.
  std::string describe(const Fix& fix, const Diagnostic& d) const {
    Span shown = d.span;
    for (const Label& note : d.notes)
      if (note.span.valid()) shown = note.span;
    const std::string_view old = sources_.text(fix.span);
    if (old.empty()) return fmt::format("insert `{}`{}", fix.replacement, place(fix.span, shown));
    const bool plain = fix.span == shown || old.find('\n') != old.npos;
    if (fix.replacement.empty())
      return fmt::format("remove {}", plain ? "it" : fmt::format("`{}`", old));
    if (plain) return fmt::format("replace with `{}`", fix.replacement);
    return fmt::format("replace `{}` with `{}`", old, fix.replacement);
  }

  std::string place(Span span, Span shown) const {
    const Location at = sources_.locate(span.begin);
    if (at.line == 0 || span.begin == shown.begin) return "";
    if (span.begin == shown.end) return " behind it";
    return fmt::format(" at {}:{}", at.line, at.column);
  }

  const SourceMap& sources_;
  const RenderOptions& options_;
  std::pair<std::string, std::string> function_{};  // and caller, of the last message
  std::string out_;
};

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.span == b.span && a.message == b.message;
}

}  // namespace

std::vector<const Diagnostic*> sorted(const Diagnostics& diags) {
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& d : diags.all()) order.push_back(&d);
  std::stable_sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return a->span.begin < b->span.begin;
  });
  std::vector<const Diagnostic*> unique;
  for (const Diagnostic* d : order) {
    const auto twin = std::find_if(unique.rbegin(), unique.rend(), [&](const Diagnostic* kept) {
      return kept->span.begin != d->span.begin || same(*kept, *d);
    });
    if (twin == unique.rend() || !same(**twin, *d)) unique.push_back(d);
  }
  return unique;
}

std::string render_text(const Diagnostic& diagnostic, const SourceMap& sources,
                        const RenderOptions& options) {
  Renderer renderer(sources, options);
  renderer.diagnostic(diagnostic);
  return renderer.take();
}

std::string render_text(const Diagnostics& diags, const SourceMap& sources,
                        const RenderOptions& options) {
  Renderer renderer(sources, options);
  for (const Diagnostic* d : sorted(diags)) renderer.diagnostic(*d);
  return renderer.take();
}

}  // namespace pyk2cu
