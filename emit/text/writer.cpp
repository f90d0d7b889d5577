// Lines, blocks and the breaking of long lines: see writer.h.
//
// A long line is broken at the outermost place that fits: after a comma, before && or ||, before
// another binary operator, after `=`. Continuations are indented by four more columns.
// Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/writer.h"

#include <algorithm>

namespace pyk2cu::emit {

namespace {

constexpr int kColumns = 100;

// How good a place to break lies before text[at], smaller is better; 0: none.
int break_cost(std::string_view text, size_t at, int depth) {
  if (at == 0 || at >= text.size()) return 0;
  if (text[at - 1] == '(' && text[at] != ')') return 10 * depth + 8;
  if (text[at - 1] != ' ') return 0;
  const std::string_view rest = text.substr(at);
  const auto starts = [&](std::string_view s) { return rest.substr(0, s.size()) == s; };
  const bool after_comma = at >= 2 && text[at - 2] == ',';
  if (after_comma) return 10 * depth + 1;
  const auto behind = [&](std::string_view s) {
    return at >= s.size() && text.substr(at - s.size(), s.size()) == s;
  };
  if (behind(" && ") || behind(" || ") || starts("? ") || starts(": ")) return 10 * depth + 2;
  if (behind(" + ") || behind(" - ")) return 10 * depth + 3;
  if (behind(" * ") || behind(" / ")) return 10 * depth + 5;
  if (behind(" = ")) return 10 * depth + 4;
  return 0;
}

// Where to break so that what comes before fits into `room` columns; 0: nowhere.
size_t find_break(std::string_view text, size_t room) {
  size_t best = 0;
  int best_cost = 1 << 20, depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < std::min(text.size(), room + 1); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    const int cost = break_cost(text, i, depth);
    if (cost != 0 && cost <= best_cost && i > 8) best = i, best_cost = cost;
    const bool open_angle = c == '<' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '<';
    const bool close_angle = c == '>' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '-';
    depth += (c == '(' || c == '[' || c == '{') + 3 * open_angle;
    depth -= (c == ')' || c == ']' || c == '}') + 3 * close_angle;
  }
  return best;
}

}  // namespace

void Writer::put(std::string_view text, int indent) {
  ++lines_;
  if (span_.valid()) map_.push_back({lines_, span_});
  text_.append(static_cast<size_t>(indent), ' ');
  text_.append(text);
  while (!text_.empty() && text_.back() == ' ') text_.pop_back();
  text_.push_back('\n');
}

void Writer::line(std::string_view text) {
  if (text.empty()) return put(text, 0);
  if (text.substr(0, 7) == "#pragma") return pragma(text);
  const bool breakable = text.substr(0, 2) != "//" && text[0] != '#';
  int indent = 2 * depth_;
  while (breakable && indent + static_cast<int>(text.size()) > kColumns) {
    const size_t at = find_break(text, static_cast<size_t>(std::max(kColumns - indent, 20)));
    if (at == 0) break;
    put(text.substr(0, at), indent);
    text.remove_prefix(at);
    indent = 2 * depth_ + 4;
  }
  put(text, indent);
}

// Clauses that do not fit go on behind a backslash.
void Writer::pragma(std::string_view text) {
  int indent = 2 * depth_;
  while (indent + static_cast<int>(text.size()) > kColumns) {
    size_t at = std::string_view::npos;
    for (const char* clause :
         {" if (", " firstprivate(", " reduction(", " lastprivate(", " initializer("}) {
      const size_t found = text.rfind(clause, static_cast<size_t>(kColumns - 2 - indent));
      if (found != std::string_view::npos && found > 12 &&
          (at == std::string_view::npos || found > at))
        at = found;
    }
    if (at == std::string_view::npos) break;
    put(std::string(text.substr(0, at)) + " \\", indent);
    text.remove_prefix(at + 1);
    indent = 2 * depth_ + 4;
  }
  put(text, indent);
}

void Writer::raw(std::string_view text) { put(text, 0); }

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
