// Statements of every kind.
// The trees are CPython 3.13's own, written by ast.dump().
#include <doctest/doctest.h>

#include "tests/unit/frontend/parse_testing.h"

namespace pyk2cu {

TEST_CASE("assignments") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"a = b = c",
       "Assign(targets=[Name(id='a', ctx=Store()), Name(id='b', ctx=Store())], "
       "value=Name(id='c', ctx=Load()))"},
      {"a, (b, [*c]) = d",
       "Assign(targets=[Tuple(elts=[Name(id='a', ctx=Store()), Tuple(elts=[Name(id='b', "
       "ctx=Store()), List(elts=[Starred(value=Name(id='c', ctx=Store()), ctx=Store())], "
       "ctx=Store())], ctx=Store())], ctx=Store())], value=Name(id='d', ctx=Load()))"},
      {"a.b = c[d] = e",
       "Assign(targets=[Attribute(value=Name(id='a', ctx=Load()), attr='b', "
       "ctx=Store()), Subscript(value=Name(id='c', ctx=Load()), slice=Name(id='d', "
       "ctx=Load()), ctx=Store())], value=Name(id='e', ctx=Load()))"},
      {"x: int",
       "AnnAssign(target=Name(id='x', ctx=Store()), annotation=Name(id='int', "
       "ctx=Load()), simple=1)"},
      {"x: int = 1",
       "AnnAssign(target=Name(id='x', ctx=Store()), annotation=Name(id='int', "
       "ctx=Load()), value=Constant(value=1), simple=1)"},
      {"(x): int = 1",
       "AnnAssign(target=Name(id='x', ctx=Store()), annotation=Name(id='int', "
       "ctx=Load()), value=Constant(value=1), simple=0)"},
      {"a.b: int",
       "AnnAssign(target=Attribute(value=Name(id='a', ctx=Load()), attr='b', "
       "ctx=Store()), annotation=Name(id='int', ctx=Load()), simple=0)"},
      {"x += 1", "AugAssign(target=Name(id='x', ctx=Store()), op=Add(), value=Constant(value=1))"},
      {"x @= y",
       "AugAssign(target=Name(id='x', ctx=Store()), op=MatMult(), value=Name(id='y', "
       "ctx=Load()))"},
      {"x **= y",
       "AugAssign(target=Name(id='x', ctx=Store()), op=Pow(), value=Name(id='y', "
       "ctx=Load()))"},
      {"x //= y",
       "AugAssign(target=Name(id='x', ctx=Store()), op=FloorDiv(), value=Name(id='y', "
       "ctx=Load()))"},
      {"x >>= 1",
       "AugAssign(target=Name(id='x', ctx=Store()), op=RShift(), value=Constant(value=1))"},
      {"*a, = b",
       "Assign(targets=[Tuple(elts=[Starred(value=Name(id='a', ctx=Store()), "
       "ctx=Store())], ctx=Store())], value=Name(id='b', ctx=Load()))"},
      {"x = yield", "Assign(targets=[Name(id='x', ctx=Store())], value=Yield())"},
      {"del a, b[c], (d, e)",
       "Delete(targets=[Name(id='a', ctx=Del()), Subscript(value=Name(id='b', "
       "ctx=Load()), slice=Name(id='c', ctx=Load()), ctx=Del()), "
       "Tuple(elts=[Name(id='d', ctx=Del()), Name(id='e', ctx=Del())], ctx=Del())])"},
      {"a = b; c = d;",
       "Assign(targets=[Name(id='a', ctx=Store())], value=Name(id='b', ctx=Load())), "
       "Assign(targets=[Name(id='c', ctx=Store())], value=Name(id='d', ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("imports") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"import a, b.c as d", "Import(names=[alias(name='a'), alias(name='b.c', asname='d')])"},
      {"from a import b as c, d",
       "ImportFrom(module='a', names=[alias(name='b', asname='c'), alias(name='d')], "
       "level=0)"},
      {"from . import a", "ImportFrom(names=[alias(name='a')], level=1)"},
      {"from .a.b import (c, d,)",
       "ImportFrom(module='a.b', names=[alias(name='c'), alias(name='d')], level=1)"},
      {"from ... import a", "ImportFrom(names=[alias(name='a')], level=3)"},
      {"from .... import *", "ImportFrom(names=[alias(name='*')], level=4)"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("simple statements") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"pass", "Pass()"},
      {"return", "Return()"},
      {"return a, *b",
       "Return(value=Tuple(elts=[Name(id='a', ctx=Load()), Starred(value=Name(id='b', "
       "ctx=Load()), ctx=Load())], ctx=Load()))"},
      {"raise", "Raise()"},
      {"raise a from b", "Raise(exc=Name(id='a', ctx=Load()), cause=Name(id='b', ctx=Load()))"},
      {"assert a, b", "Assert(test=Name(id='a', ctx=Load()), msg=Name(id='b', ctx=Load()))"},
      {"global a, b", "Global(names=['a', 'b'])"},
      {"nonlocal c", "Nonlocal(names=['c'])"},
      {"break", "Break()"},
      {"continue", "Continue()"},
      {"type X = int",
       "TypeAlias(name=Name(id='X', ctx=Store()), value=Name(id='int', ctx=Load()))"},
      {"type X[T: int = str, *U = *V, **W = []] = T",
       "TypeAlias(name=Name(id='X', ctx=Store()), type_params=[TypeVar(name='T', "
       "bound=Name(id='int', ctx=Load()), default_value=Name(id='str', ctx=Load())), "
       "TypeVarTuple(name='U', default_value=Starred(value=Name(id='V', ctx=Load()), "
       "ctx=Load())), ParamSpec(name='W', default_value=List(ctx=Load()))], "
       "value=Name(id='T', ctx=Load()))"},
      {"type = 1", "Assign(targets=[Name(id='type', ctx=Store())], value=Constant(value=1))"},
      {"print", "Expr(value=Name(id='print', ctx=Load()))"},
      {"match = case = 1",
       "Assign(targets=[Name(id='match', ctx=Store()), Name(id='case', ctx=Store())], "
       "value=Constant(value=1))"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("if, while, for") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"if a: pass\nelif b: pass\nelse: pass",
       "If(test=Name(id='a', ctx=Load()), body=[Pass()], orelse=[If(test=Name(id='b', "
       "ctx=Load()), body=[Pass()], orelse=[Pass()])])"},
      {"while a:\n  pass\nelse:\n  pass",
       "While(test=Name(id='a', ctx=Load()), body=[Pass()], orelse=[Pass()])"},
      {"for a, *b in c: pass\nelse: pass",
       "For(target=Tuple(elts=[Name(id='a', ctx=Store()), Starred(value=Name(id='b', "
       "ctx=Store()), ctx=Store())], ctx=Store()), iter=Name(id='c', ctx=Load()), "
       "body=[Pass()], orelse=[Pass()])"},
      {"for x in *a, b: pass",
       "For(target=Name(id='x', ctx=Store()), iter=Tuple(elts=[Starred(value=Name(id='a',"
       " ctx=Load()), ctx=Load()), Name(id='b', ctx=Load())], ctx=Load()), body=[Pass()])"},
      {"async def f():\n async for x in y: pass\n async with a as b: pass\n await c",
       "AsyncFunctionDef(name='f', args=arguments(), body=[AsyncFor(target=Name(id='x', "
       "ctx=Store()), iter=Name(id='y', ctx=Load()), body=[Pass()]), "
       "AsyncWith(items=[withitem(context_expr=Name(id='a', ctx=Load()), "
       "optional_vars=Name(id='b', ctx=Store()))], body=[Pass()]), "
       "Expr(value=Await(value=Name(id='c', ctx=Load())))])"},
      {"if (a := b): pass",
       "If(test=NamedExpr(target=Name(id='a', ctx=Store()), value=Name(id='b', "
       "ctx=Load())), body=[Pass()])"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("with") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"with a: pass",
       "With(items=[withitem(context_expr=Name(id='a', ctx=Load()))], body=[Pass()])"},
      {"with a as b, c as (d, e): pass",
       "With(items=[withitem(context_expr=Name(id='a', ctx=Load()), "
       "optional_vars=Name(id='b', ctx=Store())), withitem(context_expr=Name(id='c', "
       "ctx=Load()), optional_vars=Tuple(elts=[Name(id='d', ctx=Store()), Name(id='e', "
       "ctx=Store())], ctx=Store()))], body=[Pass()])"},
      {"with (a, b): pass",
       "With(items=[withitem(context_expr=Name(id='a', ctx=Load())), "
       "withitem(context_expr=Name(id='b', ctx=Load()))], body=[Pass()])"},
      {"with (a, b) as c: pass",
       "With(items=[withitem(context_expr=Tuple(elts=[Name(id='a', ctx=Load()), "
       "Name(id='b', ctx=Load())], ctx=Load()), optional_vars=Name(id='c', "
       "ctx=Store()))], body=[Pass()])"},
      {"with (a as b, c,): pass",
       "With(items=[withitem(context_expr=Name(id='a', ctx=Load()), "
       "optional_vars=Name(id='b', ctx=Store())), withitem(context_expr=Name(id='c', "
       "ctx=Load()))], body=[Pass()])"},
      {"with (a): pass",
       "With(items=[withitem(context_expr=Name(id='a', ctx=Load()))], body=[Pass()])"},
      {"with (yield): pass", "With(items=[withitem(context_expr=Yield())], body=[Pass()])"},
      {"with (a, b), c: pass",
       "With(items=[withitem(context_expr=Tuple(elts=[Name(id='a', ctx=Load()), "
       "Name(id='b', ctx=Load())], ctx=Load())), withitem(context_expr=Name(id='c', "
       "ctx=Load()))], body=[Pass()])"},
      {"with (open(a)) as b: pass",
       "With(items=[withitem(context_expr=Call(func=Name(id='open', ctx=Load()), "
       "args=[Name(id='a', ctx=Load())]), optional_vars=Name(id='b', ctx=Store()))], "
       "body=[Pass()])"},
      {"with (a for b in c): pass",
       "With(items=[withitem(context_expr=GeneratorExp(elt=Name(id='a', ctx=Load()), "
       "generators=[comprehension(target=Name(id='b', ctx=Store()), iter=Name(id='c', "
       "ctx=Load()), is_async=0)]))], body=[Pass()])"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("try") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"try: pass\nexcept: pass", "Try(body=[Pass()], handlers=[ExceptHandler(body=[Pass()])])"},
      {"try: pass\nexcept (A, B) as e: pass\nelse: pass\nfinally: pass",
       "Try(body=[Pass()], handlers=[ExceptHandler(type=Tuple(elts=[Name(id='A', "
       "ctx=Load()), Name(id='B', ctx=Load())], ctx=Load()), name='e', body=[Pass()])], "
       "orelse=[Pass()], finalbody=[Pass()])"},
      {"try: pass\nexcept* A: pass",
       "TryStar(body=[Pass()], handlers=[ExceptHandler(type=Name(id='A', ctx=Load()), "
       "body=[Pass()])])"},
      {"try: pass\nfinally: pass", "Try(body=[Pass()], finalbody=[Pass()])"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("functions and classes") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"def f(a, /, b: int = 1, *c: d, e, f=2, **g) -> h: pass",
       "FunctionDef(name='f', args=arguments(posonlyargs=[arg(arg='a')], "
       "args=[arg(arg='b', annotation=Name(id='int', ctx=Load()))], vararg=arg(arg='c', "
       "annotation=Name(id='d', ctx=Load())), kwonlyargs=[arg(arg='e'), arg(arg='f')], "
       "kw_defaults=[None, Constant(value=2)], kwarg=arg(arg='g'), "
       "defaults=[Constant(value=1)]), body=[Pass()], returns=Name(id='h', ctx=Load()))"},
      {"def f(*, a): pass",
       "FunctionDef(name='f', args=arguments(kwonlyargs=[arg(arg='a')], "
       "kw_defaults=[None]), body=[Pass()])"},
      {"def f[T](*args: *T): pass",
       "FunctionDef(name='f', args=arguments(vararg=arg(arg='args', "
       "annotation=Starred(value=Name(id='T', ctx=Load()), ctx=Load()))), body=[Pass()], "
       "type_params=[TypeVar(name='T')])"},
      {"@a\n@b.c(d)\ndef f(): pass",
       "FunctionDef(name='f', args=arguments(), body=[Pass()], "
       "decorator_list=[Name(id='a', ctx=Load()), Call(func=Attribute(value=Name(id='b', "
       "ctx=Load()), attr='c', ctx=Load()), args=[Name(id='d', ctx=Load())])])"},
      {"class A: pass", "ClassDef(name='A', body=[Pass()])"},
      {"class A[T](B, metaclass=C, *d, **e): pass",
       "ClassDef(name='A', bases=[Name(id='B', ctx=Load()), Starred(value=Name(id='d', "
       "ctx=Load()), ctx=Load())], keywords=[keyword(arg='metaclass', value=Name(id='C', "
       "ctx=Load())), keyword(value=Name(id='e', ctx=Load()))], body=[Pass()], "
       "type_params=[TypeVar(name='T')])"},
      {"@a\nclass B: pass",
       "ClassDef(name='B', body=[Pass()], decorator_list=[Name(id='a', ctx=Load())])"},
      {"async def f(): return", "AsyncFunctionDef(name='f', args=arguments(), body=[Return()])"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

TEST_CASE("match") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"match a:\n case 1 | -2.5 | 1+2j: pass",
       "Match(subject=Name(id='a', ctx=Load()), cases=[match_case(pattern=MatchOr(pattern"
       "s=[MatchValue(value=Constant(value=1)), MatchValue(value=UnaryOp(op=USub(), "
       "operand=Constant(value=2.5))), MatchValue(value=BinOp(left=Constant(value=1), "
       "op=Add(), right=Constant(value=2j)))]), body=[Pass()])])"},
      {"match a, b:\n case [x, *_, y]: pass\n case (x, y): pass\n case x, *y: pass",
       "Match(subject=Tuple(elts=[Name(id='a', ctx=Load()), Name(id='b', ctx=Load())], "
       "ctx=Load()), cases=[match_case(pattern=MatchSequence(patterns=[MatchAs(name='x'),"
       " MatchStar(), MatchAs(name='y')]), body=[Pass()]), "
       "match_case(pattern=MatchSequence(patterns=[MatchAs(name='x'), "
       "MatchAs(name='y')]), body=[Pass()]), match_case(pattern=MatchSequence(patterns=[M"
       "atchAs(name='x'), MatchStar(name='y')]), body=[Pass()])])"},
      {"match a:\n case {\"k\": v, **rest}: pass\n case {}: pass",
       "Match(subject=Name(id='a', ctx=Load()), cases=[match_case(pattern=MatchMapping(ke"
       "ys=[Constant(value='k')], patterns=[MatchAs(name='v')], rest='rest'), "
       "body=[Pass()]), match_case(pattern=MatchMapping(), body=[Pass()])])"},
      {"match a:\n case A(b, c=d) if e: pass\n case A.B: pass",
       "Match(subject=Name(id='a', ctx=Load()), cases=[match_case(pattern=MatchClass(cls="
       "Name(id='A', ctx=Load()), patterns=[MatchAs(name='b')], kwd_attrs=['c'], "
       "kwd_patterns=[MatchAs(name='d')]), guard=Name(id='e', ctx=Load()), "
       "body=[Pass()]), match_case(pattern=MatchValue(value=Attribute(value=Name(id='A', "
       "ctx=Load()), attr='B', ctx=Load())), body=[Pass()])])"},
      {"match a:\n case None | True: pass\n case (x) as y: pass\n case _: pass",
       "Match(subject=Name(id='a', ctx=Load()), cases=[match_case(pattern=MatchOr(pattern"
       "s=[MatchSingleton(value=None), MatchSingleton(value=True)]), body=[Pass()]), "
       "match_case(pattern=MatchAs(pattern=MatchAs(name='x'), name='y'), body=[Pass()]), "
       "match_case(pattern=MatchAs(), body=[Pass()])])"},
      {"match (a):\n case \"s\" \"t\": pass",
       "Match(subject=Name(id='a', ctx=Load()), cases=[match_case(pattern=MatchValue(valu"
       "e=Constant(value='st')), body=[Pass()])])"},
      {"match[a] = 1",
       "Assign(targets=[Subscript(value=Name(id='match', ctx=Load()), slice=Name(id='a', "
       "ctx=Load()), ctx=Store())], value=Constant(value=1))"},
      {"match(a)",
       "Expr(value=Call(func=Name(id='match', ctx=Load()), args=[Name(id='a', "
       "ctx=Load())]))"},
      {"match -a:\n case (): pass",
       "Match(subject=UnaryOp(op=USub(), operand=Name(id='a', ctx=Load())), "
       "cases=[match_case(pattern=MatchSequence(), body=[Pass()])])"},
      {"match not a:\n case []: pass",
       "Match(subject=UnaryOp(op=Not(), operand=Name(id='a', ctx=Load())), "
       "cases=[match_case(pattern=MatchSequence(), body=[Pass()])])"},
      {"match * a",
       "Expr(value=BinOp(left=Name(id='match', ctx=Load()), op=Mult(), "
       "right=Name(id='a', ctx=Load())))"},
      {"match.x",
       "Expr(value=Attribute(value=Name(id='match', ctx=Load()), attr='x', ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(parsed(row.source) == row.tree);
}

}  // namespace pyk2cu
