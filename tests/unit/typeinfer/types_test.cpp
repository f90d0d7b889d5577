// Interning, spelling, mangling, names.
#include "typeinfer/types/types.h"

#include <doctest/doctest.h>

#include <set>
#include <thread>

namespace pyk2cu::types {

TEST_CASE("equal types are one object") {
  CHECK(integer(32, true) == int32());
  CHECK(integer(32, false) != int32());
  CHECK(array(float32(), 2, Layout::kC) == array(float32(), 2, Layout::kC));
  CHECK(array(float32(), 2, Layout::kC) != array(float32(), 2, Layout::kF));
  CHECK(array(float32(), 2, Layout::kC) != array(float32(), 2, Layout::kC, true));
  CHECK(array(float32(), 1, Layout::kF) == array(float32(), 1, Layout::kC));
  CHECK(tuple({int64(), float64()}) == tuple({int64(), float64()}));
  CHECK(tuple({int64(), float64()}) != tuple({float64(), int64()}));
  CHECK(named_tuple(Symbol("P"), {Symbol("x")}, {int64()}) != tuple({int64()}));
  CHECK(optional(optional(int64())) == optional(int64()));
  CHECK(array(error(), 2, Layout::kC) == error());
  CHECK(func(3) != func(4));
  CHECK(module(3) != func(3));
  CHECK(dtype(float32()) == dtype(float32()));
}

TEST_CASE("interning from many threads") {
  std::vector<const Type*> seen(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&, i] {
      for (int rank = 1; rank < 50; ++rank)
        seen[i] = tuple({array(float64(), rank, Layout::kF), optional(integer(16, false))});
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(std::set<const Type*>(seen.begin(), seen.end()).size() == 1);
}

TEST_CASE("types print as users write them and mangle to short names") {
  const Type* point = named_tuple(Symbol("Point"), {Symbol("x"), Symbol("y")}, {int64(), int64()});
  const struct {
    const Type* type;
    const char *text, *symbol;
  } rows[] = {
      {boolean(), "bool", "b1"},
      {integer(8, false), "uint8", "u1"},
      {floating(16), "float16", "f2"},
      {complex128(), "complex128", "c16"},
      {void_(), "void", "v"},
      {none(), "none", "n"},
      {str(), "unicode_type", "s"},
      {literal(Symbol("it's")), "literal(\"it's\")", "s_it_s"},
      {array(float32(), 1, Layout::kA), "float32[:]", "f4_1a"},
      {array(float32(), 1, Layout::kC), "float32[::1]", "f4_1c"},
      {array(float64(), 2, Layout::kC), "float64[:,::1]", "f8_2c"},
      {array(float64(), 3, Layout::kF), "float64[::1,:,:]", "f8_3f"},
      {array(int32(), 2, Layout::kC, true), "Array(int32, 2, 'C', readonly=True)", "i4_2cr"},
      {array(int32(), 1, Layout::kA, false, false), "Array(int32, 1, 'A', aligned=False)",
       "i4_1ap"},
      {array(int32(), 0, Layout::kA), "Array(int32, 0, 'C')", "i4_0c"},
      {tuple({}), "Tuple(())", "t0"},
      {tuple({int64(), int64()}), "UniTuple(int64, 2)", "t2_i8_i8"},
      {tuple({int64(), float64()}), "Tuple((int64, float64))", "t2_i8_f8"},
      {point, "NamedTuple((int64, int64), Point)", "t2_i8_i8"},
      {optional(float64()), "optional(float64)", "o_f8"},
      {dtype(float32()), "dtype(float32)", "d_f4"},
      {range(int64()), "range(int64)", "r_i8"},
  };
  for (const auto& row : rows) {
    CHECK(print(row.type) == row.text);
    CHECK(mangle(row.type) == row.symbol);
  }
}

TEST_CASE("names of scalars in Numba, in NumPy and in dtype strings") {
  const struct {
    const char *name, *numba, *numpy, *dtype;
  } rows[] = {
      {"float32", "f4", "f4", "f4"}, {"f4", "f4", "", "f4"},     {"double", "f8", "f8", "f8"},
      {"intp", "i8", "i8", "i8"},    {"byte", "u1", "i1", "i1"}, {"float_", "f4", "f8", "f8"},
      {"bool_", "b1", "b1", "b1"},   {"char", "i1", "", ""},     {"long_", "i8", "", ""},
      {"long", "", "i8", "i8"},      {"float", "", "", "f8"},    {"float128", "", "", ""},
      {"<f8", "", "", "f8"},         {">f8", "", "", ""},        {"c16", "c16", "", "c16"},
      {"single", "", "f4", "f4"},    {"d", "", "", "f8"},        {"b1", "b1", "", "b1"},
      {"b", "", "", "i1"},           {"", "", "", ""},           {"size_t", "u8", "", ""},
  };
  const auto spell = [](const Type* t) { return t ? mangle(t) : std::string(); };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(spell(find_scalar(row.name)) == row.numba);
    CHECK(spell(find_numpy_scalar(row.name)) == row.numpy);
    CHECK(spell(find_dtype(row.name)) == row.dtype);
  }
  for (const std::string_view name : scalar_names()) CHECK(find_scalar(name) != nullptr);
}

TEST_CASE("parts of types") {
  CHECK(component(complex64()) == float32());
  CHECK(item_size(complex128()) == 16);
  CHECK(item_size(boolean()) == 1);
  CHECK(with_layout(array(int64(), 2, Layout::kC), Layout::kA) == array(int64(), 2, Layout::kA));
  CHECK(with_rank(array(int64(), 2, Layout::kC), 3) == array(int64(), 3, Layout::kC));
  CHECK(tuple({int64(), int64()})->is_uniform_tuple());
  CHECK_FALSE(tuple({})->is_uniform_tuple());
  CHECK(boolean()->is_real());
  CHECK_FALSE(boolean()->is_number());
}

}  // namespace pyk2cu::types
