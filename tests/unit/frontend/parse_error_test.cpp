// Mistakes: the line is CPython 3.13's, and so is the message.
#include <doctest/doctest.h>

#include <span>

#include "tests/unit/frontend/parse_testing.h"

namespace pyk2cu {
namespace {

struct Row {
  const char* source;
  int line;
  const char* message;
};

void check(std::span<const Row> rows) {
  for (const Row& row : rows) {
    const std::string got = parsed(row.source);
    CAPTURE(row.source);
    REQUIRE(got.starts_with("PK1"));
    CHECK(got.substr(7) == std::to_string(row.line) + ": " + row.message);
  }
}

}  // namespace

TEST_CASE("mistakes are found on CPython's line, in its words (1)") {
  const Row rows[] = {
      {"x = ", 1, "invalid syntax"},
      {"f(a b)", 1, "invalid syntax. Perhaps you forgot a comma?"},
      {"x = 1 2", 1, "invalid syntax"},
      {"if x\n  y", 1, "expected ':'"},
      {"if x = 1: pass", 1, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"},
      {"f() = 1", 1, "cannot assign to function call here. Maybe you meant '==' instead of '='?"},
      {"1 = x", 1, "cannot assign to literal here. Maybe you meant '==' instead of '='?"},
      {"None = 1", 1, "cannot assign to None"},
      {"a + b = c", 1, "cannot assign to expression here. Maybe you meant '==' instead of '='?"},
      {"x, f() = y", 1,
       "cannot assign to function call here. Maybe you meant '==' instead of '='?"},
      {"del f()", 1, "cannot delete function call"},
      {"del *a", 1, "cannot delete starred"},
      {"(a, b): int", 1, "only single target (not tuple) can be annotated"},
      {"[a]: int", 1, "only single target (not list) can be annotated"},
      {"f(): int", 1, "illegal target for annotation"},
      {"f() += 1", 1, "'function call' is an illegal expression for augmented assignment"},
      {"for f() in x: pass", 1, "cannot assign to function call"},
      {"with a as f(): pass", 1, "cannot assign to function call"},
      {"[x for f() in y]", 1, "cannot assign to function call"},
      {"def f(a=1, b): pass", 1, "parameter without a default follows parameter with a default"},
      {"def f(*): pass", 1, "named arguments must follow bare *"},
      {"def f(a, /, b, /): pass", 1, "/ may appear only once"},
      {"def f(**a, b): pass", 1, "arguments cannot follow var-keyword argument"},
      {"def f(a, a=): pass", 1, "expected default value expression"},
  };
  check(rows);
}

TEST_CASE("mistakes are found on CPython's line, in its words (2)") {
  const Row rows[] = {
      {"lambda *: 1", 1, "named arguments must follow bare *"},
      {"f(a=1, b)", 1, "positional argument follows keyword argument"},
      {"f(**a, *b)", 1, "iterable argument unpacking follows keyword argument unpacking"},
      {"f(**a, b)", 1, "positional argument follows keyword argument unpacking"},
      {"f(a, b for b in c)", 1, "Generator expression must be parenthesized"},
      {"f(True=1)", 1, "cannot assign to True"},
      {"f(a.b=1)", 1, "expression cannot contain assignment, perhaps you meant \"==\"?"},
      {"f(a=)", 1, "expected argument value expression"},
      {"(*a)", 1, "cannot use starred expression here"},
      {"(**a)", 1, "cannot use double starred expression here"},
      {"[*a for a in b]", 1, "iterable unpacking cannot be used in comprehension"},
      {"{**a for a in b}", 1, "dict unpacking cannot be used in dict comprehension"},
      {"[a, b for a in b]", 1, "did you forget parentheses around the comprehension target?"},
      {"{a: 1, b}", 1, "':' expected after dictionary key"},
      {"{a: }", 1, "expression expected after dictionary key and ':'"},
      {"{a: *b}", 1, "cannot use a starred expression in a dictionary value"},
      {"x if y", 1, "expected 'else' after 'if' expression"},
      {"print \"a\"", 1, "Missing parentheses in call to 'print'. Did you mean print(...)?"},
      {"exec \"a\"", 1, "Missing parentheses in call to 'exec'. Did you mean exec(...)?"},
      {"a <> b", 1, "invalid syntax"},
      {"try: pass\nx", 2, "expected 'except' or 'finally' block"},
      {"try: pass\nexcept A, B: pass", 2, "multiple exception types must be parenthesized"},
      {"try: pass\nexcept: pass\nexcept* A: pass", 3,
       "cannot have both 'except' and 'except*' on the same 'try'"},
      {"def f():\npass", 2, "expected an indented block after function definition on line 1"},
  };
  check(rows);
}

TEST_CASE("mistakes are found on CPython's line, in its words (3)") {
  const Row rows[] = {
      {"class A:\nx", 2, "expected an indented block after class definition on line 1"},
      {"  x", 1, "unexpected indent"},
      {"if a:\n    b\n  c", 3, "unindent does not match any outer indentation level"},
      {"if a:\n\tb\n        c", 3, "inconsistent use of tabs and spaces in indentation"},
      {"x = (1,\n2", 1, "'(' was never closed"},
      {"x = [1, 2)", 1, "closing parenthesis ')' does not match opening parenthesis '['"},
      {"x = 1)", 1, "unmatched ')'"},
      {"\"abc", 1, "unterminated string literal (detected at line 1)"},
      {"'''abc", 1, "unterminated triple-quoted string literal (detected at line 1)"},
      {"f\"{x", 1, "'{' was never closed"},
      {"f\"{\"", 1, "f-string: expecting '}'"},
      {"f\"{}\"", 1, "f-string: valid expression required before '}'"},
      {"f\"{x!z}\"", 1, "f-string: invalid conversion character 'z': expected 's', 'r', or 'a'"},
      {"f\"{x!}\"", 1, "f-string: missing conversion character"},
      {"f\"}\"", 1, "f-string: single '}' is not allowed"},
      {"f\"{a b}\"", 1, "invalid syntax. Perhaps you forgot a comma?"},
      {"f\"{lambda x: 1}\"", 1, "f-string: lambda expressions are not allowed without parentheses"},
      {"0777", 1,
       "leading zeros in decimal integer literals are not permitted; use an 0o prefix "
       "for octal integers"},
      {"0x", 1, "invalid hexadecimal literal"},
      {"1__0", 1, "invalid decimal literal"},
      {"0b12", 1, "invalid digit '2' in binary literal"},
      {"1abc", 1, "invalid decimal literal"},
      {"0o8", 1, "invalid digit '8' in octal literal"},
  };
  check(rows);
}

TEST_CASE("mistakes are found on CPython's line, in its words (4)") {
  const Row rows[] = {
      {"1e+", 1, "invalid decimal literal"},
      {"b\"\303\251\"", 1, "bytes can only contain ASCII literal characters"},
      {"\"\\x1\"", 1,
       "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: "
       "truncated \\xXX escape"},
      {"\"a\" b\"b\"", 1, "cannot mix bytes and nonbytes literals"},
      {"x = a\\b", 1, "unexpected character after line continuation character"},
      {"$", 1, "invalid syntax"},
      {"a?", 1, "invalid syntax"},
      {"x = \342\200\234a\342\200\235", 1, "invalid character '\342\200\234' (U+201C)"},
      {"from a import b,", 1, "trailing comma not allowed without surrounding parentheses"},
      {"import", 1, "Expected one or more names after 'import'"},
      {"from a import", 1, "Expected one or more names after 'import'"},
      {"import a.b from c", 1, "Did you mean to use 'from ... import ...' instead?"},
      {"class C(x for x in y): pass", 1, "invalid syntax"},
      {"(a := 1) = 2", 1,
       "cannot assign to named expression here. Maybe you meant '==' instead of '='?"},
      {"a, b := 1", 1, "invalid syntax"},
      {"a.b := 1", 1, "cannot use assignment expressions with attribute"},
      {"(a.b := 1)", 1, "cannot use assignment expressions with attribute"},
      {"async x", 1, "invalid syntax"},
      {"await = 1", 1, "invalid syntax"},
      {"match a:\ncase 1: pass", 2, "expected an indented block after 'match' statement on line 1"},
      {"match a:\n case A(b=1, c): pass", 2, "positional patterns follow keyword patterns"},
      {"match a:\n case b as _: pass", 2, "cannot use '_' as a target"},
      {"type X[] = 1", 1, "Type parameter list cannot be empty"},
  };
  check(rows);
}

TEST_CASE("mistakes are found on CPython's line, in its words (5)") {
  const Row rows[] = {
      {"type X[*T: int] = 1", 1, "cannot use bound with TypeVarTuple"},
      {"def f(a(b)): pass", 1, "invalid syntax"},
      {"(yield) = 1", 1,
       "cannot assign to yield expression here. Maybe you meant '==' instead of '='?"},
      {"x = yield = 1", 1, "assignment to yield expression not possible"},
      {"a\n  b", 2, "unexpected indent"},
      {"@a\nx", 2, "invalid syntax"},
      {"else: pass", 1, "invalid syntax"},
      {"x: int: 2", 1, "invalid syntax"},
      {"global", 1, "invalid syntax"},
      {"return = 1", 1, "invalid syntax"},
      {"\"\\N{no such name}\"", 1,
       "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-15: "
       "unknown Unicode character name"},
      {"f\"{a:{b:{c:{d}}}}\"", 1, "f-string: expressions nested too deeply"},
  };
  check(rows);
}

}  // namespace pyk2cu
