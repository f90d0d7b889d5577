// Views and owned arrays of the runtime headers: layouts, slices, counting, ownership.
#include <doctest/doctest.h>

#include "pyk/memory.h"

TEST_CASE("layouts place elements as NumPy does") {
  double items[6] = {0, 1, 2, 3, 4, 5};
  const pyk::array<double, 2, pyk::C> c{{items, {2, 3}}};
  const pyk::array<double, 2, pyk::F> f{{items, {2, 3}}};
  CHECK(c(1, 2) == 5);
  CHECK(c(1, 0) == 3);
  CHECK(f(1, 0) == 1);
  CHECK(f(0, 2) == 4);
  const pyk::array<const double, 2, pyk::A> a = f;
  CHECK(a(1, 2) == f(1, 2));
  const auto [m, n] = a.shape();
  CHECK(m == 2);
  CHECK(n == 3);
  CHECK(c.stride(0) == 24);
  CHECK(f.stride(1) == 16);
}

TEST_CASE("slices clamp as Python's") {
  const struct {
    pyk::slice_of slice;
    int64_t n, first, count;
  } rows[] = {{pyk::slice(1, 3), 5, 1, 2},
              {pyk::from(-2), 5, 3, 2},
              {pyk::until(-1), 5, 0, 4},
              {pyk::every(-1), 5, 4, 5},
              {pyk::slice(10, 20), 5, 0, 0},
              {pyk::slice(-10, 2), 5, 0, 2},
              {pyk::slice(4, 0, -2), 5, 4, 2},
              {pyk::slice(3, -9, -1), 5, 3, 4},
              {pyk::every(2), 0, 0, 0},
              {pyk::slice(3, 1), 5, 3, 0},
              {pyk::slice(-9, 9, INT64_MAX), 5, 0, 1}};
  for (const auto& row : rows) {
    const auto r = row.slice.bounds(row.n);
    CHECK(r.first == row.first);
    CHECK(r.count == row.count);
  }
}

TEST_CASE("views of views and new axes") {
  auto a = pyk::full<int64_t, pyk::C>(int64_t{0}, 3, 4);
  for (int64_t i = 0; i < 12; ++i) a.data[i] = i;
  const auto row = pyk::view<pyk::C>(a, 1, pyk::all);
  CHECK(row(2) == 6);
  const auto column = pyk::view<pyk::A>(a, pyk::every(-1), 3);
  CHECK(column(0) == 11);
  CHECK(column.shape(0) == 3);
  const auto wide = pyk::view<pyk::A>(column, pyk::newaxis, pyk::from(1));
  CHECK(wide.shape(0) == 1);
  CHECK(wide(0, 1) == 3);
}

TEST_CASE("owners count") {
  pyk::owned<double, 1, pyk::C> keep;
  {
    auto a = pyk::zeros<double, pyk::C>(5);
    CHECK(a.is_valid());
    keep = pyk::share(pyk::view<pyk::C>(a, pyk::from(2)), a);
    CHECK(a.block->count == 2);
  }
  CHECK(keep.block->count == 1);
  CHECK(keep(2) == 0);
  CHECK(!pyk::zeros<double, pyk::C>(int64_t{1} << 40, int64_t{1} << 40).is_valid());
}

TEST_CASE("ranges count without overflow") {
  int64_t n = 0, last = 0;
  for (const int64_t i : pyk::range<int64_t>(INT64_MAX - 10, INT64_MAX, 7)) ++n, last = i;
  CHECK(n == 2);
  CHECK(last == INT64_MAX - 3);
  for (const int64_t i : pyk::range<int64_t>(3, 3, -1)) n = i;
  CHECK(n == 2);
}
