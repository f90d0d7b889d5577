// Literals: numbers, strings, bytes, f-strings.
// The trees are CPython 3.13's own, written by ast.dump().
#include <doctest/doctest.h>

#include "tests/unit/frontend/parse_testing.h"

namespace pyk2cu {

TEST_CASE("numbers") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"0", "Constant(value=0)"},
      {"0x_ff", "Constant(value=255)"},
      {"0o17", "Constant(value=15)"},
      {"0b101", "Constant(value=5)"},
      {"1_000", "Constant(value=1000)"},
      {"18446744073709551615", "Constant(value=18446744073709551615)"},
      {"18446744073709551616", "Constant(value=18446744073709551616)"},
      {"0xffffffffffffffffffff", "Constant(value=1208925819614629174706175)"},
      {"1e16", "Constant(value=1e+16)"},
      {"1e15", "Constant(value=1000000000000000.0)"},
      {"123456789012345678.0", "Constant(value=1.2345678901234568e+17)"},
      {"1.5e-5", "Constant(value=1.5e-05)"},
      {"0.0001", "Constant(value=0.0001)"},
      {"1e400", "Constant(value=inf)"},
      {"1.", "Constant(value=1.0)"},
      {".5", "Constant(value=0.5)"},
      {"1_0.2_5", "Constant(value=10.25)"},
      {"3j", "Constant(value=3j)"},
      {"1.5e300j", "Constant(value=1.5e+300j)"},
      {"0777.5", "Constant(value=777.5)"},
      {"1e22", "Constant(value=1e+22)"},
      {"5e-324", "Constant(value=5e-324)"},
      {"00", "Constant(value=0)"},
      {"1if x else y",
       "IfExp(test=Name(id='x', ctx=Load()), body=Constant(value=1), orelse=Name(id='y', "
       "ctx=Load()))"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("strings") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"'a'", "Constant(value='a')"},
      {"\"it's\"", "Constant(value=\"it's\")"},
      {"'\\'\"'", "Constant(value='\\'\"')"},
      {"'\\x41\\u00e9\\U0001F600\\101\\0'", "Constant(value='A\303\251\360\237\230\200A\\x00')"},
      {"r'\\n'", "Constant(value='\\\\n')"},
      {"b'\\xff\\n\\x00'", "Constant(value=b'\\xff\\n\\x00')"},
      {"rb'\\x'", "Constant(value=b'\\\\x')"},
      {"u'a'", "Constant(value='a', kind='u')"},
      {"'a' \"b\" r'\\c'", "Constant(value='ab\\\\c')"},
      {"'''a\nb'''", "Constant(value='a\\nb')"},
      {"'a\\\nb'", "Constant(value='ab')"},
      {"'\\q'", "Constant(value='\\\\q')"},
      {"'\\ud800'", "Constant(value='\\ud800')"},
      {"'\303\251\\u200b\\xad'", "Constant(value='\303\251\\u200b\\xad')"},
      {"b'it\\'s' b'\"'", "Constant(value=b'it\\'s\"')"},
      {"'''a\r\nb'''", "Constant(value='a\\nb')"},
      {"'\\N{GREEK SMALL LETTER ALPHA}'", "Constant(value='\316\261')"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("f-strings") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"f''", "JoinedStr()"},
      {"f'a{x}b'",
       "JoinedStr(values=[Constant(value='a'), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=-1), Constant(value='b')])"},
      {"f'{x!r:>{w}}'",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=114, "
       "format_spec=JoinedStr(values=[Constant(value='>'), "
       "FormattedValue(value=Name(id='w', ctx=Load()), conversion=-1)]))])"},
      {"f'{x=}'",
       "JoinedStr(values=[Constant(value='x='), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=114)])"},
      {"f'{ x = !s}'",
       "JoinedStr(values=[Constant(value=' x = '), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=115)])"},
      {"f'{x=:.2f}'",
       "JoinedStr(values=[Constant(value='x='), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=-1, format_spec=JoinedStr(values=[Constant(value='.2f')])"
       ")])"},
      {"f'{{}}'", "JoinedStr(values=[Constant(value='{}')])"},
      {"f'{x:{y}{z}a}'",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1, "
       "format_spec=JoinedStr(values=[FormattedValue(value=Name(id='y', ctx=Load()), "
       "conversion=-1), FormattedValue(value=Name(id='z', ctx=Load()), conversion=-1), "
       "Constant(value='a')]))])"},
      {"f'{\"a\"}' 'b' f'c{d}'",
       "JoinedStr(values=[FormattedValue(value=Constant(value='a'), conversion=-1), "
       "Constant(value='bc'), FormattedValue(value=Name(id='d', ctx=Load()), "
       "conversion=-1)])"},
      {"rf'\\{x}\\n'",
       "JoinedStr(values=[Constant(value='\\\\'), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=-1), Constant(value='\\\\n')])"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

TEST_CASE("f-strings, continued") {
  const struct {
    const char *source, *tree;
  } rows[] = {
      {"f'{f\"{a}\"}'",
       "JoinedStr(values=[FormattedValue(value=JoinedStr(values=[FormattedValue(value=Nam"
       "e(id='a', ctx=Load()), conversion=-1)]), conversion=-1)])"},
      {"f'{(lambda: 1)}'",
       "JoinedStr(values=[FormattedValue(value=Lambda(args=arguments(), "
       "body=Constant(value=1)), conversion=-1)])"},
      {"f'{x:%H:%M}'",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1, "
       "format_spec=JoinedStr(values=[Constant(value='%H:%M')]))])"},
      {"f'''{\nx\n}'''",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1)])"},
      {"f'{a[\"b\"]}'",
       "JoinedStr(values=[FormattedValue(value=Subscript(value=Name(id='a', ctx=Load()), "
       "slice=Constant(value='b'), ctx=Load()), conversion=-1)])"},
      {"f'{*a, b}'",
       "JoinedStr(values=[FormattedValue(value=Tuple(elts=[Starred(value=Name(id='a', "
       "ctx=Load()), ctx=Load()), Name(id='b', ctx=Load())], ctx=Load()), "
       "conversion=-1)])"},
      {"u'a' f'{b}'",
       "JoinedStr(values=[Constant(value='a', kind='u'), "
       "FormattedValue(value=Name(id='b', ctx=Load()), conversion=-1)])"},
      {"f'{x:}'",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1, "
       "format_spec=JoinedStr())])"},
      {"f'\\N{DIGIT ONE}{x}'",
       "JoinedStr(values=[Constant(value='1'), FormattedValue(value=Name(id='x', "
       "ctx=Load()), conversion=-1)])"},
      {"f'{x!r}' f''",
       "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), "
       "conversion=114)])"},
  };
  for (const auto& row : rows) CHECK(expression(row.source) == row.tree);
}

}  // namespace pyk2cu
