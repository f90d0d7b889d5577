// Numbering of versions. Tests typeinfer/scope/{versions,free_names}.cpp.
#include "typeinfer/scope/versions.h"

#include <doctest/doctest.h>

#include <string>

#include "frontend/parse/parser.h"

using namespace pyk2cu;

namespace {

struct Numbered {
  SourceMap sources;
  Diagnostics diags;
  ast::Module module;
  scope::Versions versions;
  std::vector<Symbol> free;
};

Numbered number(const std::string& text) {
  Numbered out;
  const SourceFile& file = out.sources.add("test.py", text);
  out.module = frontend::parse(file, out.diags);
  REQUIRE(!out.diags.has_errors());
  out.versions = scope::number_versions(*out.module.body[0]);
  out.free = scope::free_names(*out.module.body[0]);
  return out;
}

int live_phis(const scope::Versions& versions, const char* name) {
  int count = 0;
  for (const auto& [node, phis] : versions.joins)
    for (scope::VersionId phi : phis) count += versions.all[phi].name == name;
  for (const auto& [node, phis] : versions.headers)
    for (scope::VersionId phi : phis) count += versions.all[phi].name == name;
  return count;
}

}  // namespace

TEST_CASE("phis are made where versions meet, and only when somebody reads them") {
  const auto read = number("def f(c):\n  if c:\n    x = 1\n  else:\n    x = 2\n  return x\n");
  CHECK(live_phis(read.versions, "x") == 1);
  CHECK(read.versions.guarded.empty());
  const auto unread = number("def f(c):\n  if c:\n    x = 1\n  else:\n    x = 2\n  return c\n");
  CHECK(live_phis(unread.versions, "x") == 0);
}

TEST_CASE("a name assigned on one path only may be unbound") {
  CHECK(
      number("def f(c):\n  if c:\n    x = 1\n  return x\n").versions.guarded.contains(Symbol("x")));
  CHECK(number("def f(n):\n  for i in range(n):\n    pass\n  return i\n")
            .versions.guarded.contains(Symbol("i")));
  CHECK(number("def f(n):\n  for i in range(3):\n    pass\n  return i\n").versions.guarded.empty());
  CHECK(number("def f(c):\n  if c:\n    x = 1\n  else:\n    return 0\n  return x\n")
            .versions.guarded.empty());
  CHECK(number("def f(c):\n  while True:\n    x = 1\n    if c:\n      break\n  return x\n")
            .versions.guarded.empty());
}

TEST_CASE("a loop header joins only what the loop assigns and somebody reads") {
  const auto n = number(
      "def f(n):\n  s = 0\n  t = 1\n  for i in range(n):\n    s += t\n    u = s\n  return s\n");
  CHECK(live_phis(n.versions, "s") == 1);
  CHECK(live_phis(n.versions, "t") == 0);
  CHECK(live_phis(n.versions, "u") == 0);
  CHECK(live_phis(n.versions, "i") == 0);
  CHECK(n.versions.plain_index.size() == 1);
}

TEST_CASE("an index that the body rebinds or that is read later is no plain index") {
  CHECK(number("def f(n):\n  for i in range(n):\n    i += 1\n").versions.plain_index.empty());
  CHECK(number("def f(n):\n  for i in range(n):\n    pass\n  return i\n")
            .versions.plain_index.empty());
  CHECK(number("def f(n):\n  for i in range(n):\n    pass\n  for i in range(n):\n    n + i\n")
            .versions.plain_index.size() == 2);
}

TEST_CASE("free names and captures") {
  const auto n = number("def f(a):\n  k = 1\n  g = lambda x: x + k + h(a)\n  return g(2) + sum\n");
  const std::vector<Symbol> expected{Symbol("h"), Symbol("sum")};
  CHECK(n.free == expected);
  CHECK(n.versions.captures.size() == 4);  // k and a, at the lambda and where g is read
}

TEST_CASE("conditional expressions, and/or and chains join what a walrus binds") {
  CHECK(live_phis(number("def f(c):\n  x = 0\n  c and (x := 1)\n  return x\n").versions, "x") == 1);
  CHECK(live_phis(number("def f(c):\n  x = 0\n  y = (x := 1) if c else 2\n  return x\n").versions,
                  "x") == 1);
  CHECK(live_phis(number("def f(c):\n  x = 0\n  0 < c < (x := 1)\n  return x\n").versions, "x") ==
        1);
}

TEST_CASE("match, with several ways out") {
  const auto n = number(
      "def f(c):\n  match c:\n    case 1:\n      x = 1\n    case [a, b]:\n      x = a\n"
      "    case y:\n      x = y\n  return x\n");
  CHECK(live_phis(n.versions, "x") == 1);
  CHECK(n.versions.guarded.empty());
}
