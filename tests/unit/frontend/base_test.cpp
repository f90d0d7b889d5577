// Spans, the source map, the arena, symbols and UTF-8 stepping.
#include <doctest/doctest.h>

#include <string>

#include "frontend/base/arena.h"
#include "frontend/base/counted.h"
#include "frontend/base/source_map.h"
#include "frontend/base/symbol.h"
#include "frontend/base/utf8.h"

namespace pyk2cu {

TEST_CASE("counts agree with their nouns") {
  CHECK(counted(0, "file") == "0 files");
  CHECK(counted(1, "file") == "1 file");
  CHECK(counted(12, "file") == "12 files");
}

TEST_CASE("offsets of several files become file, line and column") {
  SourceMap sources;
  const SourceFile& a = sources.add("a.py", "x = 1\r\ny = 2\rz\n");
  const SourceFile& b = sources.add("b.py", "é = 'ß'\n\n");
  const SourceFile& empty = sources.add("empty.py", "");
  CHECK(a.base == 1);
  CHECK(b.base == 17);
  const struct {
    uint32_t offset;
    const char* path;
    int line, column;
  } rows[] = {
      {a.base, "a.py", 1, 1},         {a.base + 7, "a.py", 2, 1},  {a.base + 11, "a.py", 2, 5},
      {a.base + 13, "a.py", 3, 1},    {a.base + 15, "a.py", 4, 1}, {b.base, "b.py", 1, 1},
      {b.base + 2, "b.py", 1, 2},     {b.base + 6, "b.py", 1, 6},  {b.base + 10, "b.py", 2, 1},
      {empty.base, "empty.py", 1, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.offset);
    const Location at = sources.locate(row.offset);
    CHECK(at.path == row.path);
    CHECK(at.line == row.line);
    CHECK(at.column == row.column);
  }
  CHECK(sources.find(0) == nullptr);
  CHECK(sources.find(100) == nullptr);
  CHECK(sources.locate(0).line == 0);
  CHECK(sources.line_text(a.base + 8) == "y = 2");
  CHECK(sources.line_text(a.base) == "x = 1");
  CHECK(sources.text({b.base, b.base + 2}) == "é");
  CHECK(sources.text({}).empty());
}

TEST_CASE("spans join, and an invalid one counts for nothing") {
  CHECK(join({3, 5}, {4, 9}) == Span{3, 9});
  CHECK(join({}, {4, 9}) == Span{4, 9});
  CHECK(join({4, 9}, {}) == Span{4, 9});
  CHECK_FALSE(Span{}.valid());
}

TEST_CASE("equal names are the same symbol") {
  const Symbol a("alpha"), b(std::string("al") + "pha"), c("beta");
  CHECK(a == b);
  CHECK(a != c);
  CHECK(a.str() == "alpha");
  CHECK(a == "alpha");
  CHECK_FALSE(Symbol());
  CHECK(Symbol().str().empty());
}

TEST_CASE("the arena keeps what it made") {
  Arena arena;
  struct Node {
    int value;
    Node* next;
  };
  Node* head = nullptr;
  for (int i = 0; i < 20000; ++i) head = arena.make<Node>(i, head);
  int count = 0;
  for (Node* n = head; n; n = n->next) ++count;
  CHECK(count == 20000);
  CHECK(arena.copy(std::string(200000, 'x')).size() == 200000);
  const auto copied = arena.copy(std::vector<int>{1, 2, 3});
  CHECK(copied[2] == 3);
}

TEST_CASE("stepping through UTF-8, valid or not") {
  CHECK(count_code_points("aé日𝄞") == 4);
  CHECK(count_code_points("\xFF\xC3") == 2);
  CHECK(count_code_points("\xC0\x80") == 2);  // overlong
  CHECK(display_width(U'日') == 2);
  CHECK(display_width(U'é') == 1);
  CHECK(display_width(0x301) == 0);
  std::string out;
  for (const char32_t c : {U'a', U'é', U'日', U'𝄞'}) append_utf8(out, c);
  CHECK(out == "aé日𝄞");
}

}  // namespace pyk2cu
