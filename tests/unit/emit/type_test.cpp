// C++ spellings of types; what has none is an internal error.
#include "emit/print/type.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "emit/text/code.h"

namespace pyk2cu::emit {

TEST_CASE("types are spelled") {
  const auto* matrix = types::array(types::float32(), 2, types::Layout::kC);
  CHECK(cpp_type(types::boolean()) == "bool");
  CHECK(cpp_type(types::uint64()) == "uint64_t");
  CHECK(cpp_type(types::float32()) == "float");
  CHECK(cpp_type(types::float64()) == "double");
  CHECK(cpp_type(types::complex64()) == "pyk::complex<float>");
  CHECK(cpp_type(types::complex128()) == "pyk::complex<double>");
  CHECK(cpp_type(types::none()) == "void");
  CHECK(cpp_type(types::void_()) == "void");
  CHECK(cpp_type(matrix, Hold::kConstView) == "pyk::array<const float, 2, pyk::C>");
  CHECK(plain(cpp_type(types::tuple({types::int64(), types::optional(types::boolean())}))) ==
        "pyk::tuple<int64_t, pyk::optional<bool>>");
}

TEST_CASE("what has no spelling is never printed as something else") {
  const auto* half = types::floating(16);
  for (const types::Type* type :
       {half, types::array(half, 1, types::Layout::kC), types::optional(half),
        types::tuple({types::int64(), half}), types::tuple({types::none(), types::int64()}),
        types::error(), types::slice(), types::range(types::int64()), types::func(1),
        types::module(1), types::iter(1), types::dtype(types::int64())}) {
    CHECK_THROWS_AS(cpp_type(type), std::logic_error);
  }
}

}  // namespace pyk2cu::emit
