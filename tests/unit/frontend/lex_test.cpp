// Layout: indentation, continuation, line breaks, comments, identifiers.
// The trees are CPython 3.13's own, written by ast.dump().
#include <doctest/doctest.h>

#include "tests/unit/frontend/parse_testing.h"

namespace pyk2cu {

TEST_CASE("layout") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"", "Module()"},
      {"\n\n# c\n", "Module()"},
      {"x = (1,\n  2)",
       "Assign(targets=[Name(id='x', ctx=Store())], value=Tuple(elts=[Constant(value=1), "
       "Constant(value=2)], ctx=Load()))"},
      {"if a:\n\tb\n\n# c\n\tc\n",
       "If(test=Name(id='a', ctx=Load()), body=[Expr(value=Name(id='b', ctx=Load())), "
       "Expr(value=Name(id='c', ctx=Load()))])"},
      {"x = 1 + \\\n 2",
       "Assign(targets=[Name(id='x', ctx=Store())], value=BinOp(left=Constant(value=1), "
       "op=Add(), right=Constant(value=2)))"},
      {"\fx", "Expr(value=Name(id='x', ctx=Load()))"},
      {"if a:\n  b\nc",
       "If(test=Name(id='a', ctx=Load()), body=[Expr(value=Name(id='b', ctx=Load()))]), "
       "Expr(value=Name(id='c', ctx=Load()))"},
      {"a\r\nb\rc",
       "Expr(value=Name(id='a', ctx=Load())), Expr(value=Name(id='b', ctx=Load())), "
       "Expr(value=Name(id='c', ctx=Load()))"},
      {"  # only a comment\nx", "Expr(value=Name(id='x', ctx=Load()))"},
      {"x\\\n\n", "Expr(value=Name(id='x', ctx=Load()))"},
      {"if 1:\n  if 2:\n    a\nb",
       "If(test=Constant(value=1), body=[If(test=Constant(value=2), "
       "body=[Expr(value=Name(id='a', ctx=Load()))])]), Expr(value=Name(id='b', "
       "ctx=Load()))"},
      {"\357\254\201 = 1", "Assign(targets=[Name(id='fi', ctx=Store())], value=Constant(value=1))"},
      {"\303\251 = 1",
       "Assign(targets=[Name(id='\303\251', ctx=Store())], value=Constant(value=1))"},
      {"K = 1", "Assign(targets=[Name(id='K', ctx=Store())], value=Constant(value=1))"},
      {"\360\235\220\261 = \302\252 = \305\277 = 1",
       "Assign(targets=[Name(id='x', ctx=Store()), Name(id='a', ctx=Store()), "
       "Name(id='s', ctx=Store())], value=Constant(value=1))"},
      {"x # \303\251", "Expr(value=Name(id='x', ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

}  // namespace pyk2cu
