// --explain and --list-builtins: what the compiler tells people about itself.
//
// In: the pages of docs/diagnostics, the diagnostics table, the builtin registry.
// Out: text on stdout, laid out for a terminal.
// Tested by tests/run/test_explain.py and tests/run/test_cli.py.
#include "cmd/pyk2cu/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cmd/pyk2cu/embedded.h"
#include "cmd/pyk2cu/options.h"
#include "frontend/diag/diagnostics.h"
#include "typeinfer/builtins/registry.h"

namespace pyk2cu::cmd {
namespace {

// "PK3007", "pk3007" and "3007" are 3007; anything else is -1.
int parse_code(std::string_view text) {
  if (text.size() == 6 && (text[0] == 'P' || text[0] == 'p') && (text[1] == 'K' || text[1] == 'k'))
    text.remove_prefix(2);
  if (text.size() != 4) return -1;
  int number = 0;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::string_view page_of(int code) {
  const std::string name = code_name(code) + ".md";
  for (const EmbeddedFile& page : explain_pages()) {
    if (page.path == name) return page.text;
  }
  return {};
}

// Markdown as a terminal shows it: `# ` goes from titles, code blocks are indented, fences go.
std::string for_terminal(std::string_view page) {
  std::string text;
  bool in_code = false;
  while (!page.empty()) {
    const size_t end = std::min(page.find('\n'), page.size());
    std::string_view line = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    if (line.starts_with("```")) {
      in_code = !in_code;
      continue;
    }
    if (!in_code && line.starts_with("# ")) line.remove_prefix(2);
    if (in_code && !line.empty()) text += "    ";
    text.append(line).append("\n");
  }
  return text;
}

// The codes whose numbers are nearest, as "PK3005, PK3007 and PK3020".
std::string nearest_codes(int code) {
  std::vector<int> codes;
  for (const DiagInfo& row : all_diag_infos()) codes.push_back(row.code);
  std::stable_sort(codes.begin(), codes.end(),
                   [&](int a, int b) { return std::abs(a - code) < std::abs(b - code); });
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  codes.resize(std::min<size_t>(codes.size(), 3));
  std::sort(codes.begin(), codes.end());
  std::string text;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (i > 0) text += i + 1 < codes.size() ? ", " : " and ";
    text += code_name(codes[i]);
  }
  return text;
}

}  // namespace

int explain(const std::string& code) {
  const int number = parse_code(code);
  if (number < 0) {
    fmt::print(stderr, "pyk2cu: `{}` is not the code of a diagnostic; codes look like PK3001\n",
               code);
    return kUsage;
  }
  const DiagInfo* row = find_diag_info(number);
  if (row == nullptr) {
    fmt::print(stderr, "pyk2cu: there is no diagnostic {}; the nearest are {}\n", code_name(number),
               nearest_codes(number));
    return kUsage;
  }
  const std::string_view page = page_of(number);
  if (page.empty()) {
    fmt::print("{}: {}\n", code_name(number), row->format);
  } else {
    fmt::print("{}", for_terminal(page));
  }
  return kOk;
}

int list_builtins() {
  fmt::print(
      "Types as in signatures; letters stand for any of several, the same one in each place:\n"
      "F float32 or float64 (an integer becomes float64), I any integer, R = I or F,\n"
      "C complex64 or complex128, X = F or C, T = R or C.\n\n");
  for (const builtins::Row& row : builtins::all()) {
    if (row.is_own()) continue;
    fmt::print("{}.{:<24} {}\n", row.module(), row.name,
               row.signature.empty() ? "by the types of its arguments" : row.signature);
  }
  return kOk;
}

}  // namespace pyk2cu::cmd
