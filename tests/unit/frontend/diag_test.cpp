// The diagnostics engine and both renderers: exact texts.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "frontend/diag/render.h"

namespace pyk2cu {

namespace {

// The span of the n-th occurrence of `needle`.
Span find(const SourceFile& file, std::string_view needle, int nth = 1) {
  size_t at = file.text.find(needle);
  while (--nth > 0) at = file.text.find(needle, at + 1);
  REQUIRE(at != std::string::npos);
  const auto begin = file.base + static_cast<uint32_t>(at);
  return {begin, begin + static_cast<uint32_t>(needle.size())};
}

}  // namespace

TEST_CASE("an error with a note and a fix looks as documented") {
  SourceMap sources;
  const SourceFile& file = sources.add("saxpy.py",
                                       "@cuda.jit(\"void(float32[:])\")\n"
                                       "def f(out):\n"
                                       "    out[i, j] = 1\n");
  Diagnostics diags;
  diags.report(find(file, "out[i, j]"), diag::SyntaxError, "two subscripts")
      .note(find(file, "float32[:]"), DiagRow<Text>{0, Severity::kNote, "", "declared {}"}, "here")
      .fix(find(file, "float32[:]"), "float32[:,:]")
      .help("say so");
  CHECK(render_text(diags, sources) ==
        "saxpy.py:3:5: error[PK1001]: two subscripts\n"
        "    3 |     out[i, j] = 1\n"
        "      |     ^^^^^^^^^\n"
        "saxpy.py:1:17: note: declared here\n"
        "    1 | @cuda.jit(\"void(float32[:])\")\n"
        "      |                 ~~~~~~~~~~\n"
        "      = fix: replace with `float32[:,:]`\n"
        "      = help: say so\n"
        "      = see: pyk2cu --explain PK1001\n");
  CHECK(render_text(diags, sources, {.color = true}).find("\x1b[1;31merror[PK1001]:\x1b[0m") !=
        std::string::npos);
}

TEST_CASE("tabs, wide characters, empty spans, many lines, no place") {
  const struct {
    const char *text, *needle, *snippet;
  } rows[] = {
      {"\tx = é + y", "y", "    1 |     x = é + y\n      |             ^\n"},
      {"s = '日本' + y", "y", "    1 | s = '日本' + y\n      |              ^\n"},
      {"f(", "", "    1 | f(\n      | ^\n"},
      {"a = [1,\n     2]\n", "[1,\n     2]",
       "    1 | a = [1,\n      |     ^^^\n    2 |      2]\n      |      ^^\n"},
      {"a = [1,\n\n2]", "[1,\n\n2]",
       "    1 | a = [1,\n      |     ^^^\n      ...\n    3 | 2]\n      | ^^\n"},
      {"a = 1   \nb", "a = 1   \n", "    1 | a = 1\n      | ^^^^^^^^\n"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    SourceMap sources;
    const SourceFile& file = sources.add("t.py", row.text);
    Diagnostics diags;
    diags.report(find(file, row.needle), diag::SyntaxError, "m");
    const std::string out = render_text(diags, sources);
    CHECK(out.find(row.snippet) != std::string::npos);
    if (out.find(row.snippet) == std::string::npos) MESSAGE(out);
  }
  Diagnostics diags;
  diags.report({}, diag::UnreadableFile, "a.py", "no such file");
  CHECK(render_text(diags, SourceMap()) ==
        "pyk2cu: error[PK1002]: cannot read `a.py`: no such file\n"
        "      = see: pyk2cu --explain PK1002\n");
}

TEST_CASE("long lines are clipped around the span") {
  SourceMap sources;
  const SourceFile& file =
      sources.add("t.py", std::string(300, 'a') + " + bad + " + std::string(300, 'c'));
  Diagnostics diags;
  diags.report(find(file, "bad"), diag::SyntaxError, "m");
  const std::string out = render_text(diags, sources, {.color = false, .width = 40});
  const size_t line = out.find("    1 | …aaa");
  REQUIRE(line != std::string::npos);
  const size_t next = out.find('\n', line);
  CHECK(std::count_if(out.begin() + static_cast<long>(line), out.begin() + static_cast<long>(next),
                      [](char c) { return (c & 0xC0) != 0x80; }) == 48);
  const std::string marks = out.substr(next + 1, out.find('\n', next + 1) - next - 1);
  CHECK(marks.find("^^^") - 2 == out.find("bad", line) - line - 4);  // `…` has three bytes
}

TEST_CASE("order of position, duplicates dropped, truncation") {
  SourceMap sources;
  const SourceFile& a = sources.add("a.py", "x y\n");
  const SourceFile& b = sources.add("b.py", "z\n");
  Diagnostics diags;
  diags.report(find(b, "z"), diag::SyntaxError, "third");
  diags.report(find(a, "y"), diag::SyntaxError, "second");
  diags.report(find(a, "x"), diag::SyntaxError, "first");
  diags.report(find(a, "y"), diag::SyntaxError, "second");
  diags.report(find(a, "y"), diag::SyntaxError, "another");
  std::string messages;
  for (const Diagnostic* d : sorted(diags)) messages += d->message + " ";
  CHECK(messages == "first second another third ");
  CHECK(diags.error_count() == 5);
  diags.truncate(1);
  CHECK(diags.error_count() == 1);
  diags.truncate(0);
  CHECK_FALSE(diags.has_errors());
}

TEST_CASE("JSON lines") {
  SourceMap sources;
  const SourceFile& file = sources.add("a\"b.py", "x = y\n");
  Diagnostics diags;
  diags.report(find(file, "y"), diag::SyntaxError, "say \"hi\"\n").fix(find(file, "y"), "z");
  diags.report({}, diag::SyntaxError, "\x01\xFF");
  CHECK(render_json(diags, sources) ==
        R"({"code":"PK1001","severity":"error","slug":"SyntaxError","message":")"
        "\\u0001\xEF\xBF\xBD"
        R"(","file":null,"line":0,"column":0,"end_line":0,"end_column":0,)"
        R"("function":null,"while_compiling":null,"notes":[],"fixes":[],"help":[]})"
        "\n"
        R"({"code":"PK1001","severity":"error","slug":"SyntaxError","message":"say \"hi\"\n",)"
        R"("file":"a\"b.py","line":1,"column":5,"end_line":1,"end_column":6,)"
        R"("function":null,"while_compiling":null,"notes":[],)"
        R"("fixes":[{"replacement":"z","applicability":"maybe","file":"a\"b.py","line":1,)"
        R"("column":5,"end_line":1,"end_column":6}],"help":[]})"
        "\n");
}

TEST_CASE("codes are unique, sorted and in range") {
  std::set<int> seen;
  for (const DiagInfo& info : all_diag_infos()) {
    CAPTURE(info.code);
    CHECK(seen.insert(info.code).second);
    CHECK(info.code >= 1000);
    CHECK(info.code <= 9999);
    CHECK_FALSE(info.format.empty());
    CHECK_FALSE(info.format.ends_with("."));
  }
  REQUIRE(find_diag_info(1001));
  CHECK(find_diag_info(1001)->slug == "SyntaxError");
  CHECK(find_diag_info(1) == nullptr);
  CHECK(code_name(1001) == "PK1001");
}

}  // namespace pyk2cu
