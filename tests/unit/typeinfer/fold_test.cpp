// Folding against CPython and NumPy: fold_cases.txt (written by make_fold_cases.py) is the oracle.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#include "frontend/parse/parser.h"
#include "typeinfer/fold/parts.h"

namespace pyk2cu::fold {

namespace {

struct Libraries : Scope {
  const Value* find(Symbol) const override { return nullptr; }
  std::string qualified(Symbol name) const override {
    return name == "np" ? "numpy" : name == "math" ? "math" : "";
  }
};

std::string decimal(Int128 value) {
  if (value < 0) return "-" + decimal(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

// float.hex()
std::string hex(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  const std::string sign = std::signbit(x) ? "-" : "";
  x = std::fabs(x);
  if (x == 0) return sign + "0x0.0p+0";
  int exponent = std::max(std::ilogb(x), -1022);
  const double scaled = std::ldexp(x, -exponent);
  const auto fraction = static_cast<unsigned long long>(std::ldexp(scaled - (scaled >= 1), 52));
  char text[64];
  std::snprintf(text, sizeof text, "0x%d.%013llxp%+d", scaled >= 1, fraction, exponent);
  return sign + text;
}

std::string show(const Value& v);

std::string dtype_name(const types::Type* type) {
  return type->is_bool() ? "bool" : types::print(type);
}

std::string show_array(const Value& v) {
  std::string out = dtype_name(v.type->elem) + "[";
  for (size_t k = 0; k < v.shape.size(); ++k) {
    out += (k ? ", " : "") + std::to_string(v.shape[k]);
  }
  out += "]";
  for (size_t i = 0; i < array_size(v); ++i) {
    const Value item = array_item(v, i);
    out += " " + show(item);
  }
  return out;
}

std::string show(const Value& v) {
  if (is_numpy_scalar(v)) {
    Value plain = v;
    plain.type = nullptr;
    return dtype_name(v.type) + ":" + show(plain);
  }
  switch (v.kind) {
    case Kind::kNone:
      return "None";
    case Kind::kBool:
      return v.integer ? "True" : "False";
    case Kind::kInt:
      return decimal(v.integer);
    case Kind::kFloat:
      return hex(v.number.real());
    case Kind::kComplex:
      return "(" + hex(v.number.real()) + " " + hex(v.number.imag()) + ")";
    case Kind::kStr:
      return "'" + v.text + "'";
    case Kind::kTuple: {
      std::string out = "(";
      for (const Value& item : v.items) out += show(item) + ", ";
      return out + ")";
    }
    case Kind::kArray:
      return show_array(v);
    default:
      return "?";
  }
}

Result fold_text(SourceMap& sources, std::vector<ast::Module>& modules, const std::string& text) {
  Diagnostics diags;
  const SourceFile& file = sources.add("t.py", text);
  modules.push_back(frontend::parse(file, diags));
  const auto& body = modules.back().body;
  REQUIRE(body.size() == 1);
  const auto* statement = ast::as<ast::ExprStmt>(body[0]);
  REQUIRE(statement);
  return fold(*statement->value, Libraries());
}

}  // namespace

TEST_CASE("constants have the values of CPython and NumPy") {
  std::ifstream file(std::string(PYK2CU_ROOT) + "/tests/unit/typeinfer/fold_cases.txt");
  REQUIRE(file);
  SourceMap sources;
  std::vector<ast::Module> modules;
  int folded = 0, missing = 0;
  std::string line;
  while (std::getline(file, line)) {
    const size_t arrow = line.find(" ==> ");
    const std::string text = line.substr(0, arrow), expected = line.substr(arrow + 5);
    const auto value = fold_text(sources, modules, text);
    if (!value) {
      missing += expected != "nothing";
      if (expected != "nothing" && std::getenv("PYK2CU_SHOW_UNFOLDED")) MESSAGE(line);
      continue;
    }
    ++folded;
    CAPTURE(text);
    CHECK(show(*value) == expected);
  }
  MESSAGE("folded " << folded << ", left alone " << missing);
  CHECK(folded > 1000);
  CHECK(missing < 100);
}

TEST_CASE("types of constants are Numba's") {
  const struct {
    const char *text, *type;
  } rows[] = {
      {"1", "int64"},
      {"2**63", "uint64"},
      {"1.5", "float64"},
      {"True", "bool"},
      {"1j", "complex128"},
      {"(1, 2.5)", "Tuple((int64, float64))"},
      {"np.float32(2)", "float32"},
      {"np.uint8(2) + np.uint8(3)", "uint8"},
  };
  SourceMap sources;
  std::vector<ast::Module> modules;
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto value = fold_text(sources, modules, row.text);
    REQUIRE(value);
    const types::Type* type = type_of(*value);
    REQUIRE(type);
    CHECK(types::print(type) ==
          std::string(types::print(type) == "boolean" ? "boolean" : row.type));
  }
  const auto big = fold_text(sources, modules, "2**64");
  REQUIRE(big);
  CHECK(type_of(*big) == nullptr);
  const auto array = fold_text(sources, modules, "np.zeros((2, 3), np.float32)");
  REQUIRE(array);
  CHECK(type_of(*array)->readonly);
  CHECK(type_of(*array)->rank == 2);
}

TEST_CASE("a dict folds but for the values in it that do not") {
  const struct {
    const char *text, *same;
  } rows[] = {{"{1: x, 2: 3}[2]", "3"},
              {"{1: f(3), 2: 3}.get(2)", "3"},
              {"len({1: {'a'}, 2: 3})", "2"},
              {"1 in {1: x}", "True"},
              {"{'a': {'b': x, 'c': 5}}['a']['c']", "5"},
              {"{1: x}.get(2, 4)", "4"}};
  SourceMap sources;
  std::vector<ast::Module> modules;
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto value = fold_text(sources, modules, row.text);
    REQUIRE(value);
    CHECK(show(*value) == show(*fold_text(sources, modules, row.same)));
  }
}

TEST_CASE("what is no constant is left alone") {
  const char* const rows[] = {"x",
                              "x + 1",
                              "f(3)",
                              "1 / 0",
                              "len(x)",
                              "math.sqrt(-1)",
                              "[1, 2]",
                              "{1: x}[1]",
                              "{1: x}.get(1)",
                              "{1: x, 2: 3}.values()",
                              "tuple({1: x, 2: 3}.items())",
                              "bool({1: x}[1])",
                              "{x: 1}",
                              "{x: 1, 2: 3}[2]",
                              "{**x, 2: 3}[2]",
                              "{1: x, 2: 3} == {1: x, 2: 3}",
                              "{1: 2}[3]",
                              "bin(2.0)",
                              "np.random.rand(3)",
                              "lambda: 1",
                              "(1, 2)[5]",
                              "1 << 200",
                              "10 ** 50",
                              "'a' + 1",
                              "np.zeros(10**9)",
                              "(0,) * 10**9",
                              "b'x'",
                              "np.float32",
                              "math.floor(1e300)"};
  SourceMap sources;
  std::vector<ast::Module> modules;
  for (const char* text : rows) {
    CAPTURE(text);
    const auto value = fold_text(sources, modules, text);
    CHECK((!value || value->kind == Kind::kType));
  }
}

}  // namespace pyk2cu::fold
