// Text: precedence, literals, names, the breaking of long lines.
#include <doctest/doctest.h>

#include <limits>

#include "emit/text/code.h"
#include "emit/text/literal.h"
#include "emit/text/names.h"
#include "emit/text/writer.h"

namespace pyk2cu::emit {

TEST_CASE("numbers are as short as they can be and read back exactly") {
  const double inf = std::numeric_limits<double>::infinity();
  const struct {
    double value;
    int bits;
    const char* text;
  } rows[] = {{0.5, 64, "0.5"},
              {2, 64, "2.0"},
              {2, 32, "2.0f"},
              {0.1f, 32, "0.1f"},
              {1e300, 64, "1e300"},
              {1e-7, 64, "1e-07"},
              {-0.0, 64, "-0.0"},
              {inf, 64, "pyk::infinity<double>"},
              {-inf, 32, "-pyk::infinity<float>"}};
  for (const auto& row : rows) CHECK(float_literal(row.value, row.bits).text == row.text);
  CHECK(int_literal(std::numeric_limits<int64_t>::min(), types::int64()).text == "INT64_MIN");
  CHECK(int_literal(-1, types::uint64()).text == "18446744073709551615u");
  CHECK(int_literal(-5, types::int32()).prec == Prec::kUnary);
}

TEST_CASE("strings survive") {
  CHECK(string_literal("a\"b\\c\n") == "\"a\\\"b\\\\c\\n\"");
  CHECK(string_literal("what?\?!") == "\"what?\\?!\"");
  CHECK(string_literal(std::string_view("\0x", 2)) == "\"\\000x\"");
}

TEST_CASE("names keep their spelling where C++ allows it") {
  const struct {
    const char *python, *cpp;
  } rows[] = {{"total", "total"}, {"new", "new_"}, {"int64_t", "int64_t_"},
              {"_", "_"},         {"std", "std_"}, {"größe", "gru00f6u00dfe"},
              {"__x", "py__x"}};
  for (const auto& row : rows) CHECK(cpp_identifier(row.python) == row.cpp);
  const struct {
    const char* name;
    bool local, function, space;  // reserved
  } uses[] = {{"x", false, false, false},         {"class", true, true, true},
              {"INFINITY", true, true, true},     {"MADV_ANYTHING_NEW", true, true, true},
              {"N", false, false, false},         {"NX", false, false, false},
              {"M_PIf64", true, true, true},      {"M_x", false, false, false},
              {"READONLY", false, true, true},    {"Py_None", false, true, true},
              {"sites", false, true, true},       {"sin", false, false, true},
              {"sinf32x", false, false, true},    {"lgammaf_r", false, false, true},
              {"float4", false, false, true},     {"time_t", false, false, true},
              {"floats4", false, false, false},   {"cuda_saxpy", false, false, false},
              {"cudaStream", true, true, true},   {"tables", false, false, false},
              {"is_inside", false, false, false}, {"curve", false, false, false}};
  for (const auto& row : uses) {
    CHECK_MESSAGE(is_reserved(row.name, NameFor::kLocal) == row.local, row.name);
    CHECK_MESSAGE(is_reserved(row.name, NameFor::kFunction) == row.function, row.name);
    CHECK_MESSAGE(is_reserved(row.name, NameFor::kNamespace) == row.space, row.name);
  }
  NameScope scope;
  CHECK(scope.unique("i") == "i");
  CHECK(scope.unique("i") == "i_2");
}

TEST_CASE("parentheses stand where precedence asks for them") {
  const Code sum{"a + b", Prec::kAdditive};
  CHECK(at(sum, Prec::kMultiplicative) == "(a + b)");
  CHECK(at(sum, Prec::kAdditive) == "a + b");
  CHECK(at(sum, tighter(Prec::kAdditive)) == "(a + b)");
  CHECK(at(sum, Prec::kRelational) == "a + b");
}

TEST_CASE("long lines break at marks, at the outermost place that helps") {
  const std::string a(40, 'a'), b(40, 'b'), c(30, 'c');
  const auto lines = [](const std::string& marked) {
    Writer out;
    out.indent();
    out.line(marked);
    return out.text();
  };
  const std::string by = std::string(" *") + mark::kBreak, plus = std::string(" +") + mark::kBreak;
  CHECK(lines("x = " + a + by + b + ";") == "  x = " + a + " * " + b + ";\n");
  // an operand lines up with the first one of its group
  CHECK(lines("x = " + group(a + plus + b + plus + c) + ";") ==
        "  x = " + a + " + " + b + " +\n      " + c + ";\n");
  // the inner group stays on one line, where it fits
  CHECK(lines("x = " + group(a + plus + group(b + by + c)) + ";") ==
        "  x = " + a + " +\n      " + b + " * " + c + ";\n");
  ListText args;
  for (const std::string& arg : {a, b, c}) args.add(arg);
  CHECK(lines(args.in("f(") + ";") == "  f(" + a + ", " + b + ",\n    " + c + ");\n");
  // text without marks stays as it is
  CHECK(lines("f(\"" + std::string(60, 'x') + ", " + std::string(60, 'y') + "\");") ==
        "  f(\"" + std::string(60, 'x') + ", " + std::string(60, 'y') + "\");\n");
}

TEST_CASE("a line is as wide as its characters") {
  std::string wide = "x = ";
  for (int k = 0; k < 45; ++k) wide += "\u00e9";
  Writer out;
  out.line(wide + " +" + mark::kBreak + std::string(47, 'b') + ";");  // 100 columns, more bytes
  CHECK(out.text().find('\n') == out.text().size() - 1);
}

}  // namespace pyk2cu::emit
