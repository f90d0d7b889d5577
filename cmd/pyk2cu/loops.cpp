// The report of `pyk2cu explain`: see loops.h.
//
//   kernels.py:12  f(float64[:], float64[:])
//      14  for i in range(len(x)):                 32 iterations side by side
//          where no array that it writes shares memory with another; exp in vectors
//      16    while value > 1.0:                    in these lanes
#include "cmd/pyk2cu/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pyk2cu::cmd {
namespace {

constexpr size_t kColumn = 48;  // where verdicts begin

class LoopReport {
 public:
  LoopReport(const SourceMap& sources, bool color) : sources_(sources), color_(color) {}

  // What is told of one function, for one or several signatures.
  void function(const std::vector<std::string>& signatures,
                const std::vector<const emit::LoopNote*>& notes) const {
    const Location at = sources_.locate(notes.front()->function.begin);
    for (size_t k = 0; k < signatures.size(); ++k)
      fmt::print("{}{}\n", k == 0 ? fmt::format("{}:{}  ", at.name, at.line) : std::string(4, ' '),
                 bold(signatures[k]));
    const size_t least = indent_of(notes.front()->loop.begin);
    for (const emit::LoopNote* note : notes) loop(*note, least);
  }

 private:
  void loop(const emit::LoopNote& note, size_t least) const {
    const size_t indent = indent_of(note.loop.begin);
    std::string head = fmt::format("{:>6}  {}{}", sources_.locate(note.loop.begin).line,
                                   std::string(indent > least ? indent - least : 0, ' '),
                                   text_of(note.loop.begin));
    if (head.size() + 2 > kColumn) {
      fmt::print("{}\n", head);
      head.clear();
    }
    fmt::print("{:<{}}{}\n", head, kColumn, bold(note.what));
    if (note.why.empty()) return;
    const int line = note.at.valid() ? sources_.locate(note.at.begin).line : 0;
    const bool elsewhere = line > 0 && line != sources_.locate(note.loop.begin).line;
    if (elsewhere)
      fmt::print("        {}: line {}, `{}`\n", note.why, line, text_of(note.at.begin));
    else
      fmt::print("        {}\n", note.why);
    if (!note.help.empty()) fmt::print("        help: {}\n", note.help);
  }

  size_t indent_of(uint32_t offset) const {
    return sources_.line_text(offset).find_first_not_of(" \t");
  }
  std::string text_of(uint32_t offset) const {
    std::string_view line = sources_.line_text(offset);
    const size_t begin = line.find_first_not_of(" \t");
    return begin == line.npos ? "" : std::string(line.substr(begin));
  }
  std::string bold(const std::string& text) const {
    return color_ ? "\033[1m" + text + "\033[0m" : text;
  }

  const SourceMap& sources_;
  bool color_;
};

bool say_the_same(const std::vector<const emit::LoopNote*>& a,
                  const std::vector<const emit::LoopNote*>& b) {
  return std::ranges::equal(a, b, [](const emit::LoopNote* one, const emit::LoopNote* other) {
    return one->loop.begin == other->loop.begin && one->what == other->what &&
           one->why == other->why;
  });
}

}  // namespace

bool print_loops(const std::vector<Made>& all, const std::string& function,
                 const SourceMap& sources, bool color) {
  // By place in the text, then by signature in the order of compilation.
  using Notes = std::vector<const emit::LoopNote*>;
  std::map<uint32_t, std::vector<std::pair<std::string, Notes>>> functions;
  for (const Made& made : all)
    for (const emit::LoopNote& note : made.bundle.loops) {
      if (!function.empty() && note.name != function) continue;
      auto& signatures = functions[note.function.begin];
      const auto same = [&](const auto& one) { return one.first == note.signature; };
      auto found = std::ranges::find_if(signatures, same);
      if (found == signatures.end()) found = signatures.insert(found, {note.signature, {}});
      found->second.push_back(&note);
    }
  const LoopReport report(sources, color);
  bool first = true;
  for (auto& [place, signatures] : functions) {
    for (auto& [signature, notes] : signatures)
      std::ranges::sort(notes, {}, [](const emit::LoopNote* note) { return note->loop.begin; });
    std::vector<bool> said(signatures.size(), false);
    for (size_t k = 0; k < signatures.size(); ++k) {
      if (said[k]) continue;
      std::vector<std::string> names;
      for (size_t other = k; other < signatures.size(); ++other)
        if (!said[other] && say_the_same(signatures[k].second, signatures[other].second)) {
          said[other] = true;
          names.push_back(signatures[other].first);
        }
      if (!first) fmt::print("\n");
      first = false;
      report.function(names, signatures[k].second);
    }
  }
  return !functions.empty();
}

}  // namespace pyk2cu::cmd
