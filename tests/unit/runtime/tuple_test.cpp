// pyk/tuple.h and pyk/optional.h: bindings, comparison, indexing.
#include "pyk/tuple.h"

#include <doctest/doctest.h>

#include "pyk/optional.h"

namespace {

TEST_CASE("a tuple comes apart by name, position and index") {
  const pyk::tuple t{int64_t{3}, 2.5, true};
  const auto [i, x, flag] = t;
  CHECK(i == 3);
  CHECK(x == 2.5);
  CHECK(flag);
  CHECK(pyk::get<1>(t) == 2.5);
  CHECK(t.size() == 3);
  const pyk::tuple uniform{1.0, 2.0, 3.0};
  CHECK(uniform.at(0) == 1.0);
  CHECK(uniform.at(2) == 3.0);
  CHECK(std::is_trivially_copyable_v<decltype(t)>);
}

TEST_CASE("tuples compare like Python's") {
  CHECK(pyk::tuple{1, 2} == pyk::tuple{1, 2});
  CHECK(pyk::tuple{1, 2} != pyk::tuple{1, 3});
  CHECK(pyk::tuple{1, 2} < pyk::tuple{1, 3});
  CHECK(pyk::tuple{1, 2} < pyk::tuple{1, 2, 0});
  CHECK(!(pyk::tuple{2, 0} < pyk::tuple{1, 9}));
  CHECK(pyk::tuple{2, 0} >= pyk::tuple{1, 9});
  CHECK(pyk::tuple{1, 2} <= pyk::tuple{1, 2});
  CHECK(pyk::tuple{1, 2} != pyk::tuple{1, 2, 3});
  const double nan = pyk::not_a_number<double>;
  CHECK(!(pyk::tuple{nan, 1.0} < pyk::tuple{nan, 2.0}));
}

TEST_CASE("an optional holds a value or none") {
  const pyk::optional<double> some{2.5};
  const auto none = pyk::optional<double>::none();
  CHECK(some);
  CHECK(!none);
  CHECK(some.value == 2.5);
  CHECK(some != none);
  CHECK(none == pyk::optional<double>::none());
}

}  // namespace
