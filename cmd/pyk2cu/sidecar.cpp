// Merging types into a sidecar: see sidecar.h.
//
// In:   text, entries.  Out: text. Tested by tests/run/test_record.py.
#include "cmd/pyk2cu/sidecar.h"

#include <algorithm>
#include <set>

#include "typeinfer/decorators/lines.h"

namespace pyk2cu::cmd {

namespace {

constexpr std::string_view kOpening =
    "# Types that `pyk2cu record` saw. Lines may be added, changed, or made comments.\n";

// The lines of one file, from the comments above its `pkg/mod.py:` on.
struct Section {
  std::string file{};
  std::vector<std::string> lines{};
  size_t body = 0;  // behind the header
};

bool is_comment(const std::string& line) { return decorators::trim(line).starts_with('#'); }

std::vector<Section> split_sections(const std::string& text) {
  std::vector<Section> sections(1);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const auto parts = decorators::split_file(decorators::strip_comment(line));
    if (!parts.file.empty() && parts.rest.empty()) {
      Section next{.file = std::string(parts.file)};
      std::vector<std::string>& before = sections.back().lines;
      auto first = before.end();
      while (first != before.begin() + static_cast<ptrdiff_t>(sections.back().body) &&
             is_comment(*(first - 1)))
        --first;
      next.lines.assign(first, before.end());
      next.body = next.lines.size() + 1;
      before.erase(first, before.end());
      sections.push_back(std::move(next));
    }
    sections.back().lines.push_back(line);
  }
  // What opens the file stays on top.
  std::vector<std::string>& lines = sections[0].lines;
  size_t& body = sections[0].body;
  while (body < lines.size() && is_comment(lines[body])) ++body;
  if (body < lines.size() && body > 0 && decorators::trim(lines[body]).empty()) ++body;
  return sections;
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r') out += c;
  return out;
}

std::string key(std::string_view name, const signature::Signature& one) {
  std::string text(name);
  text += '(';
  for (const types::Type* type : one.params) text += types::print(type) + ",";
  return text;
}

// "f(float64)" of `f(float64)` and of `# f(float64): a reason`, else "".
std::string_view entry_text(std::string_view line) {
  line = decorators::trim(line);
  if (!line.starts_with('#')) return decorators::strip_comment(line);
  line = decorators::trim(line.substr(1));
  const size_t open = line.find('('), reason = line.rfind("): ");
  if (open == line.npos || line.substr(0, open).find(' ') != line.npos) return {};
  return reason == line.npos ? line : line.substr(0, reason + 1);
}

// What a line says, in every form that an entry is compared by.
void add_keys(const std::string& file, std::string_view line, std::set<std::string>& known) {
  const std::string_view whole = entry_text(line);
  const auto parts = decorators::split_file(whole);
  const std::string where = parts.file.empty() ? file : std::string(parts.file);
  const bool is_line = whole.starts_with(':') ||
                       (!parts.rest.empty() && parts.rest[0] >= '0' && parts.rest[0] <= '9');
  const std::string colon = is_line ? ":" : "";
  known.insert(where + "|" + colon + without_blanks(parts.rest));
  const auto sig = decorators::split_sig(parts.rest);
  if (sig.name.empty()) return;
  SourceMap scratch;
  Diagnostics ignored;
  const auto offset = static_cast<size_t>(sig.name.data() - parts.rest.data());
  const SourceFile& text = scratch.add("types", std::string(parts.rest.substr(offset)));
  for (const auto& one : signature::parse_named(text.text, text, ignored).signatures)
    known.insert(where + "|" + colon + key(sig.name, one));
}

// Behind the last line that sorts before it.
void insert(Section& section, const Recorded& entry) {
  size_t at = section.body;
  for (size_t i = section.body; i < section.lines.size(); ++i) {
    const std::string_view text = entry_text(section.lines[i]);
    const size_t open = text.find_first_of("(= ");
    if (text.empty() || open == text.npos) continue;
    if (!decorators::split_file(text).file.empty()) continue;  // of another file
    const std::string name(text.substr(0, open));
    if (name < entry.name || (name == entry.name && text <= entry.text())) at = i + 1;
  }
  const std::string indent = section.file.empty() ? "" : "  ";
  section.lines.insert(section.lines.begin() + static_cast<ptrdiff_t>(at), indent + entry.line());
}

// Do all lines end as on Windows?
bool has_crlf(const std::string& text) {
  size_t lines = 0;
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1), ++lines)
    if (at == 0 || text[at - 1] != '\r') return false;
  return lines > 0;
}

Section& section_of(std::vector<Section>& sections, const std::string& file) {
  const auto known = std::ranges::find(sections, file, &Section::file);
  if (known != sections.end()) return *known;
  const auto next = std::find_if(sections.begin() + 1, sections.end(),
                                 [&](const Section& one) { return one.file > file; });
  if (std::vector<std::string>& before = (next - 1)->lines;
      !before.empty() && !decorators::trim(before.back()).empty())
    before.emplace_back();
  Section made{.file = file, .lines = {file + ":"}, .body = 1};
  if (next != sections.end()) made.lines.emplace_back();
  return *sections.insert(next, std::move(made));
}

}  // namespace

Merged merge_sidecar(const std::string& old, const std::vector<Recorded>& entries) {
  std::vector<Section> sections = split_sections(old);
  std::set<std::string> known;
  for (const Section& section : sections)
    for (const std::string& line : section.lines) add_keys(section.file, line, known);
  Merged merged;
  for (const Recorded& entry : entries) {
    const std::string where = entry.file + "|";
    const std::string text = where + without_blanks(entry.text());
    const std::string types = where + key(entry.name, entry.signature);
    if (known.contains(text) || (entry.reason.empty() && known.contains(types))) continue;
    known.insert(text);
    insert(section_of(sections, entry.file), entry);
    ++merged.added;
  }
  if (merged.added == 0) {
    merged.text = old;
    return merged;
  }
  if (old.empty()) merged.text = std::string(kOpening) + "\n";
  const std::string_view end = has_crlf(old) ? "\r\n" : "\n";
  bool first = old.empty();
  for (const Section& section : sections)
    for (const std::string& line : section.lines) {
      if (first && line.empty()) continue;
      first = false;
      merged.text += line;
      merged.text += line.ends_with('\r') ? "\n" : end;
    }
  return merged;
}

}  // namespace pyk2cu::cmd
