// After a mistake: one diagnostic each, the other statements are there. Nothing overflows the
// stack.
#include <doctest/doctest.h>

#include "frontend/parse/parser.h"

namespace pyk2cu {
namespace {

struct Result {
  std::string lines;  // of the mistakes
  std::string names;  // of what is assigned and defined at the top
};

Result parse_names(const std::string& source) {
  SourceMap map;
  Diagnostics diags;
  const ast::Module module = frontend::parse(map.add("a.py", source), diags);
  Result out;
  for (const Diagnostic& d : diags.all())
    out.lines += std::to_string(map.locate(d.span.begin).line) + " ";
  for (const ast::Stmt* s : module.body) {
    if (const auto* f = ast::as<ast::FunctionDef>(s)) out.names += std::string(f->name.str()) + " ";
    if (const auto* a = ast::as<ast::Assign>(s))
      if (const auto* n = ast::as<ast::Name>(a->targets[0]))
        out.names += std::string(n->id.str()) + " ";
  }
  return out;
}

std::string times(int n, std::string_view text) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

int first_code(const std::string& source) {
  SourceMap map;
  Diagnostics diags;
  frontend::parse(map.add("a.py", source), diags);
  return diags.all().empty() ? 0 : diags.all().front().code;
}

}  // namespace

TEST_CASE("reading goes on at the next statement") {
  const struct {
    const char *source, *lines, *names;
  } rows[] = {
      {"a = 1\nb = = 2\nc = 3\n", "2 ", "a c "},
      {"a = 1; b = ; c = 3\nd = 4\n", "1 ", "a d "},
      {"def f(:\n  x = 1\n  y = = 2\ng = 1\n", "1 ", "g "},
      {"def f():\n  x = = 1\n  return 2\ng = 1\n", "2 ", "f g "},
      {"def f():\n  x = (1\n  y = 2\ndef g():\n  return 1\nh = 1\n", "2 ", "f g h "},
      {"a = [1, 2\ndef f(): pass\nb = {3\nclass C: pass\nc = 1\n", "1 3 ", "f c "},
      {"a = 'abc\nb = 1\nc = \"x\nd = 2\n", "1 3 ", "b d "},
      {"a = f'{x'\nb = 1\nc = f'{}'\nd = 2\n", "1 3 ", "b d "},
      {"if a:\nb = 1\n  c = 2\nd = 3\n", "2 3 ", "b c d "},
      {"if x =: pass\nelse: pass\na = 1\n", "1 ", "a "},
      {"try:\n  x\na = 1\n", "3 ", "a "},
      {"a = 0777\nb = 1_\nc = 3\n", "1 2 ", "c "},
      {"a = )\nb = (]\nc = 3\n", "1 2 ", "c "},
      {"a = $ + 1 ? 2\nb = 1\n", "1 ", "b "},
      {"@d\n\nx = 1\na = 2\n", "3 ", "a "},
      {"match x:\n  case 1 +: pass\n  case 2: pass\na = 1\n", "2 ", "a "},
      {"print 'a'\nprint 'b'\na = 1\n", "1 2 ", "a "},
  };
  for (const auto& row : rows) {
    CAPTURE(row.source);
    const Result got = parse_names(row.source);
    CHECK(got.lines == row.lines);
    CHECK(got.names == row.names);
  }
}

TEST_CASE("nesting is limited, not the stack's business") {
  const int n = 100000;
  const std::string rows[] = {
      times(n, "("),
      times(n, "["),
      times(n, "-") + "x",
      times(n, "not ") + "x",
      times(n, "lambda: ") + "x",
      times(n, "x if y else ") + "z",
      times(n, "x ** ") + "x",
      times(n, "x + ") + "x",
      "x" + times(n, ".a"),
      "x" + times(n, "()"),
      "x" + times(n, "[0]"),
      times(n, "await "),
      "if x: pass\n" + times(n, "elif x: pass\n"),
      times(2000, "f'{") + "x",
      "match x:\n case " + times(n, "["),
      "for " + times(n, "*") + "x in y: pass",
  };
  for (const std::string& source : rows) {
    const int code = first_code(source);
    CHECK((code == 1005 || code == 1001 || code == 1009 || code == 1006));
  }
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "if x:\n";
  CHECK(first_code(deep) == 1005);
}

TEST_CASE("what is long but flat is read") {
  const int n = 20000;
  CHECK(first_code("x = [" + times(n, "a.b(c), ") + "]") == 0);
  CHECK(first_code("x = " + times(n, "y = ") + "1") == 0);
  CHECK(first_code("x" + times(n, " or y")) == 0);
  CHECK(first_code("x" + times(n, " < y")) == 0);
  CHECK(first_code(times(n, "x = 1\n")) == 0);
  CHECK(first_code("x = " + times(1400, "y + ") + "1") == 0);
}

TEST_CASE("comments are kept, positions are those of the text") {
  SourceMap map;
  Diagnostics diags;
  const ast::Module m =
      frontend::parse(map.add("a.py", "# one\nx = (a + # two\n  b)  # three\n"), diags);
  REQUIRE(m.comments.size() == 3);
  CHECK(map.text(m.comments[1]) == "# two");
  CHECK(map.text(m.comments[2]) == "# three");
  REQUIRE(m.body.size() == 1);
  CHECK(map.text(m.body[0]->span) == "x = (a + # two\n  b)");
  const auto* assign = ast::as<ast::Assign>(m.body[0]);
  CHECK(map.text(assign->value->span) == "a + # two\n  b");
}

}  // namespace pyk2cu
