// Promotion against the tables that tests/fuzz/promote_oracle.py asked of Numba and NumPy:
// every operator on every pair of scalar types.
#include "typeinfer/types/promote.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace pyk2cu::types {

namespace {

const std::map<std::string, BinaryOp> kBinary = {
    {"add", BinaryOp::kAdd},           {"sub", BinaryOp::kSub},    {"mul", BinaryOp::kMul},
    {"truediv", BinaryOp::kDiv},       {"mod", BinaryOp::kMod},    {"pow", BinaryOp::kPow},
    {"floordiv", BinaryOp::kFloorDiv}, {"lshift", BinaryOp::kShl}, {"rshift", BinaryOp::kShr},
    {"and_", BinaryOp::kAnd},          {"or_", BinaryOp::kOr},     {"xor", BinaryOp::kXor},
    {"matmul", BinaryOp::kMatMul}};
const std::map<std::string, CompareOp> kCompare = {{"eq", CompareOp::kEq}, {"ne", CompareOp::kNe},
                                                   {"lt", CompareOp::kLt}, {"le", CompareOp::kLe},
                                                   {"gt", CompareOp::kGt}, {"ge", CompareOp::kGe}};
const std::map<std::string, UnaryOp> kUnary = {{"pos", UnaryOp::kPos},
                                               {"neg", UnaryOp::kNeg},
                                               {"invert", UnaryOp::kInvert},
                                               {"not_", UnaryOp::kNot}};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

std::string spell(const OpTypes& t) {
  return t ? mangle(t.left) + "," + mangle(t.right) + "," + mangle(t.result) : "-";
}
std::string spell(const UnaryTypes& t) {
  return t ? mangle(t.operand) + "," + mangle(t.result) : "-";
}
std::string result_of(const OpTypes& t) { return t ? mangle(t.result) : "-"; }
std::string result_of(const UnaryTypes& t) { return t ? mangle(t.result) : "-"; }

// Numba converts integers to (u)int64 by their own sign and then to the result's type; we go there
// at once, which gives the same value. Half precision is computed in float32 and rounded.
std::string at_once(const std::string& cell, const std::string& op) {
  if (cell == "-") return cell;
  std::vector<std::string> t = split(cell, ',');
  const auto integral = [](const std::string& s) { return s[0] == 'i' || s[0] == 'u'; };
  if (t.size() == 2) return t[0] == "b1" && t[1] == "i8" ? "i8,i8" : t[0] == "f2" ? "f4,f2" : cell;
  if (integral(t[0]) && integral(t[1])) {
    if (t[2] != "b1" && (op != "pow" || t[2][0] != 'f')) t[0] = t[2];
    if (op != "pow" && op != "lshift" && op != "rshift" && t[2] != "b1") t[1] = t[2];
  }
  if (t[0] == "f2") t[0] = "f4";
  if (t[1] == "f2") t[1] = "f4";
  return t[0] + "," + t[1] + "," + t[2];
}

struct Line {
  std::string table, op, left;
  std::vector<std::string> cells;
};

std::vector<Line> read_table(std::vector<std::string>& codes) {
  std::ifstream in(PYK2CU_ROOT "/tests/unit/typeinfer/numba_promotion.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    if (text[0] == '#') {
      codes = split(text.substr(text.find("types") + 6), ' ');
      continue;
    }
    const size_t colon = text.find(':');
    std::vector<std::string> key = split(text.substr(0, colon), ' ');
    key.resize(3);
    lines.push_back({key[0], key[1], key[2], split(text.substr(colon + 1), ' ')});
  }
  return lines;
}

// What we say where Numba's table has `line.cells[i]`; "?" for a line of no known table.
std::string ours(const Line& line, const Type* a, const Type* b) {
  const Dialect numba{Rules::kNumba, line.table.starts_with("cuda") ? Target::kCuda : Target::kCpu};
  const Dialect numpy{Rules::kNumpy, Target::kCpu};
  if (line.table == "cpu" || line.table == "cuda")
    return spell(kBinary.contains(line.op) ? binary(kBinary.at(line.op), a, b, numba)
                                           : compare(kCompare.at(line.op), a, b, numba));
  if (line.table == "cpu_unary" || line.table == "cuda_unary")
    return spell(unary(kUnary.at(line.op), b, numba));
  if (line.table == "element") return result_of(element_binary(kBinary.at(line.op), a, b, numba));
  if (line.table == "element_unary") return result_of(element_unary(kUnary.at(line.op), b, numba));
  if (line.table == "numpy") return result_of(binary(kBinary.at(line.op), a, b, numpy));
  if (line.table == "numpy_unary") return result_of(unary(kUnary.at(line.op), b, numpy));
  if (line.table == "unify") return mangle(unify(a, b, numba));
  if (line.table == "unify_all") {
    const Type* three[] = {find_scalar(line.op), a, b};
    return mangle(unify_all(three, numba));
  }
  if (line.table == "conversion") return std::to_string(static_cast<int>(conversion(a, b)));
  if (line.table == "safe") return is_safe_cast(a, b) ? "1" : "0";
  return "?";
}

}  // namespace

TEST_CASE("promotion agrees with Numba and NumPy on every operator and pair of scalars") {
  std::vector<std::string> codes;
  const std::vector<Line> lines = read_table(codes);
  REQUIRE(lines.size() > 900);
  REQUIRE(codes.size() == 14);
  int checked = 0;
  for (const Line& line : lines) {
    REQUIRE(line.cells.size() == codes.size());
    for (size_t i = 0; i < codes.size(); ++i) {
      const Type* left = line.left.empty() ? nullptr : find_scalar(line.left);
      std::string expected = line.cells[i];
      if (line.table.starts_with("c") && line.table != "conversion")
        expected = at_once(expected, line.op);
      const std::string got = ours(line, left, find_scalar(codes[i]));
      ++checked;
      if (got == expected) continue;
      CAPTURE(line.table);
      CAPTURE(line.op);
      CAPTURE(line.left);
      CAPTURE(codes[i]);
      CHECK(got == expected);
    }
  }
  CHECK(checked > 13000);
}

TEST_CASE("joins of optionals, tuples and arrays") {
  const Dialect d;
  CHECK(unify(none(), int64(), d) == optional(int64()));
  CHECK(unify(optional(int32()), float64(), d) == optional(float64()));
  CHECK(unify(none(), optional(int32()), d) == optional(int32()));
  CHECK(unify(tuple({int32(), float32()}), tuple({int64(), float64()}), d) ==
        tuple({int64(), float64()}));
  CHECK(unify(tuple({int32()}), tuple({int32(), int32()}), d) == nullptr);
  CHECK(unify(array(float64(), 2, Layout::kC), array(float64(), 2, Layout::kF), d) ==
        array(float64(), 2, Layout::kA));
  CHECK(unify(array(float64(), 2, Layout::kC), array(float32(), 2, Layout::kC), d) == nullptr);
  CHECK(unify(array(float64(), 1, Layout::kC), float64(), d) == nullptr);
  CHECK(unify(error(), int64(), d) == error());
  CHECK(unify(str(), int64(), d) == nullptr);
}

TEST_CASE("conversions of what is no scalar") {
  const Type* c = array(float64(), 2, Layout::kC);
  const Type* a = array(float64(), 2, Layout::kA);
  CHECK(conversion(c, a) == Conversion::kSafe);
  CHECK(conversion(a, c) == Conversion::kNone);
  CHECK(conversion(c, array(float64(), 2, Layout::kC, true)) == Conversion::kSafe);
  CHECK(conversion(array(float64(), 2, Layout::kC, true), c) == Conversion::kNone);
  CHECK(conversion(none(), optional(int64())) == Conversion::kPromote);
  CHECK(conversion(optional(int64()), int64()) == Conversion::kSafe);
  CHECK(conversion(int32(), optional(int64())) == Conversion::kPromote);
  CHECK(conversion(tuple({int32(), int32()}), tuple({int64(), float64()})) == Conversion::kSafe);
  CHECK(conversion(tuple({int32()}), tuple({int64(), float64()})) == Conversion::kNone);
  CHECK(conversion(none(), int64()) == Conversion::kNone);
}

TEST_CASE("errors absorb, and what is no scalar has no operators") {
  const Dialect d;
  CHECK(binary(BinaryOp::kAdd, error(), int64(), d).result == error());
  CHECK(unary(UnaryOp::kNeg, error(), d).result == error());
  CHECK_FALSE(binary(BinaryOp::kAdd, str(), int64(), d));
  CHECK_FALSE(compare(CompareOp::kLt, tuple({int64()}), int64(), d));
  CHECK(unary(UnaryOp::kNot, tuple({int64()}), d).result == boolean());
}

TEST_CASE("Python literals beside NumPy scalars (NEP 50)") {
  const struct {
    const char *literal, *other, *result;
  } rows[] = {{"i8", "u1", "u1"}, {"i8", "f4", "f4"},  {"f8", "f4", "f4"},
              {"f8", "i1", "f8"}, {"c16", "f4", "c8"}, {"i8", "b1", "i8"},
              {"b1", "u1", "b1"}, {"f8", "c8", "c8"},  {"c16", "i1", "c16"}};
  for (const auto& row : rows)
    CHECK(mangle(settle_weak(find_scalar(row.literal), find_scalar(row.other))) == row.result);
}

}  // namespace pyk2cu::types
