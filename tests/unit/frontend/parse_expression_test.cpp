// Expressions: precedence, displays, comprehensions, calls, lambdas.
// The trees are CPython 3.13's own, written by ast.dump().
#include <doctest/doctest.h>

#include "tests/unit/frontend/parse_testing.h"

namespace pyk2cu {

TEST_CASE("operators bind as in Python") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"a + b * c ** -d ** e",
       "BinOp(left=Name(id='a', ctx=Load()), op=Add(), right=BinOp(left=Name(id='b', "
       "ctx=Load()), op=Mult(), right=BinOp(left=Name(id='c', ctx=Load()), op=Pow(), "
       "right=UnaryOp(op=USub(), operand=BinOp(left=Name(id='d', ctx=Load()), op=Pow(), "
       "right=Name(id='e', ctx=Load()))))))"},
      {"a - b - c",
       "BinOp(left=BinOp(left=Name(id='a', ctx=Load()), op=Sub(), right=Name(id='b', "
       "ctx=Load())), op=Sub(), right=Name(id='c', ctx=Load()))"},
      {"not a == b",
       "UnaryOp(op=Not(), operand=Compare(left=Name(id='a', ctx=Load()), ops=[Eq()], "
       "comparators=[Name(id='b', ctx=Load())]))"},
      {"a < b <= c is not d not in e",
       "Compare(left=Name(id='a', ctx=Load()), ops=[Lt(), LtE(), IsNot(), NotIn()], "
       "comparators=[Name(id='b', ctx=Load()), Name(id='c', ctx=Load()), Name(id='d', "
       "ctx=Load()), Name(id='e', ctx=Load())])"},
      {"a or b and not c or d",
       "BoolOp(op=Or(), values=[Name(id='a', ctx=Load()), BoolOp(op=And(), "
       "values=[Name(id='b', ctx=Load()), UnaryOp(op=Not(), operand=Name(id='c', "
       "ctx=Load()))]), Name(id='d', ctx=Load())])"},
      {"-x ** 2",
       "UnaryOp(op=USub(), operand=BinOp(left=Name(id='x', ctx=Load()), op=Pow(), "
       "right=Constant(value=2)))"},
      {"a | b ^ c & d << e",
       "BinOp(left=Name(id='a', ctx=Load()), op=BitOr(), right=BinOp(left=Name(id='b', "
       "ctx=Load()), op=BitXor(), right=BinOp(left=Name(id='c', ctx=Load()), "
       "op=BitAnd(), right=BinOp(left=Name(id='d', ctx=Load()), op=LShift(), "
       "right=Name(id='e', ctx=Load())))))"},
      {"await_ @ b // c % d",
       "BinOp(left=BinOp(left=BinOp(left=Name(id='await_', ctx=Load()), op=MatMult(), "
       "right=Name(id='b', ctx=Load())), op=FloorDiv(), right=Name(id='c', ctx=Load())), "
       "op=Mod(), right=Name(id='d', ctx=Load()))"},
      {"x if y else z if w else v",
       "IfExp(test=Name(id='y', ctx=Load()), body=Name(id='x', ctx=Load()), "
       "orelse=IfExp(test=Name(id='w', ctx=Load()), body=Name(id='z', ctx=Load()), "
       "orelse=Name(id='v', ctx=Load())))"},
      {"~-+x",
       "UnaryOp(op=Invert(), operand=UnaryOp(op=USub(), operand=UnaryOp(op=UAdd(), "
       "operand=Name(id='x', ctx=Load()))))"},
      {"(a + b) * c",
       "BinOp(left=BinOp(left=Name(id='a', ctx=Load()), op=Add(), right=Name(id='b', "
       "ctx=Load())), op=Mult(), right=Name(id='c', ctx=Load()))"},
      {"a.b[c](d).e",
       "Attribute(value=Call(func=Subscript(value=Attribute(value=Name(id='a', "
       "ctx=Load()), attr='b', ctx=Load()), slice=Name(id='c', ctx=Load()), ctx=Load()), "
       "args=[Name(id='d', ctx=Load())]), attr='e', ctx=Load())"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("displays and comprehensions") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"()", "Tuple(ctx=Load())"},
      {"(a,)", "Tuple(elts=[Name(id='a', ctx=Load())], ctx=Load())"},
      {"[a, *b]",
       "List(elts=[Name(id='a', ctx=Load()), Starred(value=Name(id='b', ctx=Load()), "
       "ctx=Load())], ctx=Load())"},
      {"{}", "Dict()"},
      {"{1, 2}", "Set(elts=[Constant(value=1), Constant(value=2)])"},
      {"{a: b, **c}",
       "Dict(keys=[Name(id='a', ctx=Load()), None], values=[Name(id='b', ctx=Load()), "
       "Name(id='c', ctx=Load())])"},
      {"[x for x in y if z if w]",
       "ListComp(elt=Name(id='x', ctx=Load()), generators=[comprehension(target=Name(id='"
       "x', ctx=Store()), iter=Name(id='y', ctx=Load()), ifs=[Name(id='z', ctx=Load()), "
       "Name(id='w', ctx=Load())], is_async=0)])"},
      {"{k: v for k, v in i}",
       "DictComp(key=Name(id='k', ctx=Load()), value=Name(id='v', ctx=Load()), "
       "generators=[comprehension(target=Tuple(elts=[Name(id='k', ctx=Store()), "
       "Name(id='v', ctx=Store())], ctx=Store()), iter=Name(id='i', ctx=Load()), "
       "is_async=0)])"},
      {"(x async for x in y)",
       "GeneratorExp(elt=Name(id='x', ctx=Load()), "
       "generators=[comprehension(target=Name(id='x', ctx=Store()), iter=Name(id='y', "
       "ctx=Load()), is_async=1)])"},
      {"{*a, b}",
       "Set(elts=[Starred(value=Name(id='a', ctx=Load()), ctx=Load()), Name(id='b', "
       "ctx=Load())])"},
      {"[i for i, in x for *j, k in y]",
       "ListComp(elt=Name(id='i', ctx=Load()), generators=[comprehension(target=Tuple(elt"
       "s=[Name(id='i', ctx=Store())], ctx=Store()), iter=Name(id='x', ctx=Load()), "
       "is_async=0), comprehension(target=Tuple(elts=[Starred(value=Name(id='j', "
       "ctx=Store()), ctx=Store()), Name(id='k', ctx=Store())], ctx=Store()), "
       "iter=Name(id='y', ctx=Load()), is_async=0)])"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("calls and subscripts") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"f(a, *b, c=d, **e)",
       "Call(func=Name(id='f', ctx=Load()), args=[Name(id='a', ctx=Load()), "
       "Starred(value=Name(id='b', ctx=Load()), ctx=Load())], keywords=[keyword(arg='c', "
       "value=Name(id='d', ctx=Load())), keyword(value=Name(id='e', ctx=Load()))])"},
      {"f(x for x in y)",
       "Call(func=Name(id='f', ctx=Load()), args=[GeneratorExp(elt=Name(id='x', "
       "ctx=Load()), generators=[comprehension(target=Name(id='x', ctx=Store()), "
       "iter=Name(id='y', ctx=Load()), is_async=0)])])"},
      {"f(a := 1)",
       "Call(func=Name(id='f', ctx=Load()), args=[NamedExpr(target=Name(id='a', "
       "ctx=Store()), value=Constant(value=1))])"},
      {"x[1:2, ::3]",
       "Subscript(value=Name(id='x', ctx=Load()), "
       "slice=Tuple(elts=[Slice(lower=Constant(value=1), upper=Constant(value=2)), "
       "Slice(step=Constant(value=3))], ctx=Load()), ctx=Load())"},
      {"x[:]", "Subscript(value=Name(id='x', ctx=Load()), slice=Slice(), ctx=Load())"},
      {"x[*a, b]",
       "Subscript(value=Name(id='x', ctx=Load()), "
       "slice=Tuple(elts=[Starred(value=Name(id='a', ctx=Load()), ctx=Load()), "
       "Name(id='b', ctx=Load())], ctx=Load()), ctx=Load())"},
      {"x[a:=1]",
       "Subscript(value=Name(id='x', ctx=Load()), slice=NamedExpr(target=Name(id='a', "
       "ctx=Store()), value=Constant(value=1)), ctx=Load())"},
      {"f(**a, b=c)",
       "Call(func=Name(id='f', ctx=Load()), keywords=[keyword(value=Name(id='a', "
       "ctx=Load())), keyword(arg='b', value=Name(id='c', ctx=Load()))])"},
      {"f(a)(b)[c].d",
       "Attribute(value=Subscript(value=Call(func=Call(func=Name(id='f', ctx=Load()), "
       "args=[Name(id='a', ctx=Load())]), args=[Name(id='b', ctx=Load())]), "
       "slice=Name(id='c', ctx=Load()), ctx=Load()), attr='d', ctx=Load())"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("lambdas") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"lambda: 0", "Lambda(args=arguments(), body=Constant(value=0))"},
      {"lambda a, /, b=1, *c, d, e=2, **f: a",
       "Lambda(args=arguments(posonlyargs=[arg(arg='a')], args=[arg(arg='b')], "
       "vararg=arg(arg='c'), kwonlyargs=[arg(arg='d'), arg(arg='e')], kw_defaults=[None, "
       "Constant(value=2)], kwarg=arg(arg='f'), defaults=[Constant(value=1)]), "
       "body=Name(id='a', ctx=Load()))"},
      {"lambda *, a: a",
       "Lambda(args=arguments(kwonlyargs=[arg(arg='a')], kw_defaults=[None]), "
       "body=Name(id='a', ctx=Load()))"},
      {"lambda *a, **k: (a, k)",
       "Lambda(args=arguments(vararg=arg(arg='a'), kwarg=arg(arg='k')), "
       "body=Tuple(elts=[Name(id='a', ctx=Load()), Name(id='k', ctx=Load())], "
       "ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("conditional, walrus, yield, star") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"(yield)", "Yield()"},
      {"(yield a, b)",
       "Yield(value=Tuple(elts=[Name(id='a', ctx=Load()), Name(id='b', ctx=Load())], "
       "ctx=Load()))"},
      {"(yield from a)", "YieldFrom(value=Name(id='a', ctx=Load()))"},
      {"(a := b)", "NamedExpr(target=Name(id='a', ctx=Store()), value=Name(id='b', ctx=Load()))"},
      {"*a, b",
       "Tuple(elts=[Starred(value=Name(id='a', ctx=Load()), ctx=Load()), Name(id='b', "
       "ctx=Load())], ctx=Load())"},
      {"await a ** b",
       "BinOp(left=Await(value=Name(id='a', ctx=Load())), op=Pow(), right=Name(id='b', "
       "ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

}  // namespace pyk2cu
