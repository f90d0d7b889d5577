// dump(): indented as CPython 3.13 does, and repr() of literals.
#include <doctest/doctest.h>

#include "frontend/ast/repr.h"
#include "frontend/parse/parser.h"

namespace pyk2cu {

TEST_CASE("an indented dump breaks lines where CPython does") {
  SourceMap map;
  Diagnostics diags;
  const ast::Module m = frontend::parse(map.add("a.py", "f(x)[1] = {a: 2}\n"), diags);
  CHECK(ast::dump(m, 2) ==
        "Module(\n"
        "  body=[\n"
        "    Assign(\n"
        "      targets=[\n"
        "        Subscript(\n"
        "          value=Call(\n"
        "            func=Name(id='f', ctx=Load()),\n"
        "            args=[\n"
        "              Name(id='x', ctx=Load())]),\n"
        "          slice=Constant(value=1),\n"
        "          ctx=Store())],\n"
        "      value=Dict(\n"
        "        keys=[\n"
        "          Name(id='a', ctx=Load())],\n"
        "        values=[\n"
        "          Constant(value=2)]))])");
}

TEST_CASE("floats have their shortest digits in Python's form") {
  const struct {
    double value;
    const char* text;
  } rows[] = {{0.0, "0.0"},        {1.0, "1.0"},
              {0.1, "0.1"},        {1e15, "1000000000000000.0"},
              {1e16, "1e+16"},     {123456.5, "123456.5"},
              {0.0001, "0.0001"},  {0.00001, "1e-05"},
              {1.5e-7, "1.5e-07"}, {1e300 * 1e10, "inf"},
              {-2.5, "-2.5"},      {5e-324, "5e-324"},
              {1e100, "1e+100"},   {1.0 / 3, "0.3333333333333333"}};
  for (const auto& row : rows) CHECK(ast::repr(row.value) == row.text);
}

TEST_CASE("strings choose their quotes and escapes as Python does") {
  CHECK(ast::repr_str("it's") == "\"it's\"");
  CHECK(ast::repr_str("\"it's\"") == "'\"it\\'s\"'");
  CHECK(ast::repr_str("a\tb\n\x01\x7F\\") == "'a\\tb\\n\\x01\\x7f\\\\'");
  CHECK(ast::repr_str("\u00E9\u00AD\u200B\U0001F600\U000E0001") ==
        "'\u00E9\\xad\\u200b\U0001F600\\U000e0001'");
  CHECK(ast::repr_str("\xED\xA0\x80") == "'\\ud800'");
  CHECK(ast::repr_bytes("'\xFF") == "b\"'\\xff\"");
}

}  // namespace pyk2cu
