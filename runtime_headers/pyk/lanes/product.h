// Products of matrices, in registers and caches.
//
//   pyk::lanes::product(out, a, b)     out = a @ b
//
// out[m, n], a[m, k] and b[k, n], or out[m] and b[k], hold one type, float, double or complex, and
// lie anyhow; `out` shares no memory with the others. Every element is a sum over k, in order, from
// 0 on, but where `b` is one column: it is added up by vectors. Where the processor has fused
// multiply-adds each step is one. With --fp=strict, which defines PYK_SUMS_IN_ORDER, all sums are
// in order, every step rounded twice, and products of complex numbers those of complex.h.
//
// A tile of `out` stays in registers while as many rows of `a` and columns of `b` pass by. Those of
// `b` lie behind one another in a panel, for which the first cache has room; the rows of `a` do so
// in a block, for the second one, where many columns come back to them.
// Source: K. Goto, R. van de Geijn, Anatomy of High-Performance Matrix Multiplication (2008).
// Tested by tests/run/test_matrix_products.py.
#pragma once

#include <cstdlib>

#include "pyk/array.h"
#include "pyk/complex.h"
#include "pyk/core.h"
#include "pyk/lanes/lane.h"

namespace pyk::lanes {

namespace detail {

template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<complex<T>> {
  using type = T;
};

// How much of a product registers and caches hold.
template <class T>
struct product_sizes {
#if defined(__AVX512F__)
  static constexpr int kVectorBytes = 64, kVectors = 2, kTileRows = 8;
#elif defined(__AVX__)
  static constexpr int kVectorBytes = 32, kVectors = 3, kTileRows = 4;
#else
  static constexpr int kVectorBytes = 16, kVectors = 2, kTileRows = 4;
#endif
  using real = typename real_of<T>::type;
  static constexpr int kParts = int(sizeof(T) / sizeof(real));
  static constexpr int kRows = kTileRows / kParts;                    // of a tile
  static constexpr int kVector = kVectorBytes / int(sizeof(real));    // columns of a narrow tile
  static constexpr int kColumns = kVector * kVectors;                 // of a wide one
  static constexpr int kDepth = 24576 / (kColumns * int(sizeof(T)));  // rows of a panel
  static constexpr int kBlock = 262144 / (kDepth * int(sizeof(T))) / kRows * kRows;
};

// Elements and how they lie, strides in bytes.
template <class T>
struct matrix {
  using bytes = typename std::conditional<std::is_const<T>::value, const char, char>::type;
  bytes* data;
  int64_t rows, columns, row_step, step;

  PYK_INLINED T& operator()(int64_t i, int64_t j) const {
    return *reinterpret_cast<T*>(data + i * row_step + j * step);
  }
  PYK_INLINED matrix part(int64_t i, int64_t j, int64_t m, int64_t n) const {
    return {data + i * row_step + j * step, m, n, row_step, step};
  }
};

// A vector is a column.
template <class T, int N, class L>
PYK_FN matrix<T> matrix_of(array<T, N, L> a) {
  auto* const data = reinterpret_cast<typename matrix<T>::bytes*>(a.data);
  if constexpr (N == 1) return {data, a.shape(0), 1, a.stride(0), int64_t(sizeof(T))};
  return {data, a.shape(0), a.shape(N - 1), a.stride(0), a.stride(N - 1)};
}

#if defined(PYK_SUMS_IN_ORDER)
constexpr bool sums_in_order = true;
#else
constexpr bool sums_in_order = false;
#endif

template <class T, int W>
struct vector_of {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
};

template <class V, class T>
PYK_INLINE V loaded(const T* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

// Elements of a matrix in parts, so many rows from one on and all of its columns.
template <int rows, class T, class Tile>
PYK_INLINE void take_tile(matrix<T> from, int64_t first, Tile& tile) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < from.columns; ++j) {
      if constexpr (product_sizes<T>::kParts == 2) {
        tile[i][0][j] = from(first + i, j).re;
        tile[i][1][j] = from(first + i, j).im;
      } else {
        tile[i][0][j] = from(first + i, j);
      }
    }
}
template <int rows, class T, class Tile>
PYK_INLINE void put_tile(matrix<T> to, int64_t first, const Tile& tile) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < to.columns; ++j) {
      if constexpr (product_sizes<T>::kParts == 2)
        to(first + i, j) = T(tile[i][0][j], tile[i][1][j]);
      else
        to(first + i, j) = tile[i][0][j];
    }
}

// Tiles of so many rows and columns, out.columns of which there are: out += a @ panel, or what that
// is from 0 on. The next tile's rows of `a` begin `next` bytes further on. Complex numbers have a
// row of real and one of imaginary parts in the panel.
template <int rows, int columns, class T>
PYK_FUSED PYK_NOINLINE static void product_tiles(matrix<T> out, matrix<const T> a, int64_t next,
                                                 const typename real_of<T>::type* panel,
                                                 int64_t panel_step, bool adds) {
  PYK_FUSE
  using real = typename real_of<T>::type;
  constexpr int kParts = product_sizes<T>::kParts;
  constexpr int kWidth = columns < product_sizes<T>::kVector ? columns : product_sizes<T>::kVector;
  constexpr int kVectors = columns / kWidth;
  using vector = typename vector_of<real, kWidth>::type;
  const bool whole = kParts == 1 && out.columns == columns && out.step == sizeof(T);
  for (int64_t first = 0; first < a.rows; first += rows, a.data += next) {
    // Elements that are counted by variables: the sums have no address.
    real tile[rows][kParts][columns] = {};
    vector sum[rows][kParts][kVectors] = {};
    if (adds) {
      take_tile<rows>(out, first, tile);
      for (int i = 0; i < rows; ++i)
        for (int p = 0; p < kParts; ++p)
          for (int v = 0; v < kVectors; ++v) sum[i][p][v] = loaded<vector>(&tile[i][p][v * kWidth]);
    }
    const char* at = a.data;
    const real* right = panel;
#pragma GCC unroll 1
    for (int64_t k = 0; k < a.columns; ++k, at += a.step, right += panel_step)
      for (int i = 0; i < rows; ++i) {
        const T x = *reinterpret_cast<const T*>(at + i * a.row_step);
        for (int v = 0; v < kVectors; ++v) {
          const vector y = loaded<vector>(right + v * kWidth);
          if constexpr (kParts == 1) {
            sum[i][0][v] = sum[i][0][v] + x * y;
          } else {
            const vector z = loaded<vector>(right + columns + v * kWidth);
            if constexpr (sums_in_order) {
              sum[i][0][v] += x.re * y - x.im * z;
              sum[i][1][v] += x.re * z + x.im * y;
            } else {
              sum[i][0][v] = sum[i][0][v] + x.re * y - x.im * z;
              sum[i][1][v] = sum[i][1][v] + x.re * z + x.im * y;
            }
          }
        }
      }
    if (whole) {
      for (int i = 0; i < rows; ++i) __builtin_memcpy(&out(first + i, 0), &sum[i], sizeof sum[i]);
    } else {
      for (int i = 0; i < rows; ++i) __builtin_memcpy(&tile[i], &sum[i], sizeof sum[i]);
      put_tile<rows>(out, first, tile);
    }
  }
}

// The elements of `b` as product_tiles has them: anything for columns that are missing.
template <int columns, class T>
PYK_FN void fill_panel(matrix<const T> b, typename real_of<T>::type* panel) {
  int64_t at[columns];
  for (int j = 0; j < columns; ++j) at[j] = (j < b.columns ? j : b.columns - 1) * b.step;
  const bool whole = b.columns == columns && b.step == sizeof(T);
  const char* row = b.data;
  for (int64_t k = 0; k < b.rows; ++k, row += b.row_step) {
    if constexpr (is_complex<T>) {
      for (int j = 0; j < columns; ++j) {
        const T& from = *reinterpret_cast<const T*>(row + at[j]);
        panel[j] = from.re;
        panel[columns + j] = from.im;
      }
      panel += 2 * columns;
    } else {
      if (whole) {
#pragma omp simd
        for (int j = 0; j < columns; ++j) panel[j] = reinterpret_cast<const T*>(row)[j];
      } else {
        for (int j = 0; j < columns; ++j) panel[j] = *reinterpret_cast<const T*>(row + at[j]);
      }
      panel += columns;
    }
  }
}

// Rows of `out`, few columns of it. `block` has whole tiles of rows of `a`, or null.
template <int columns, class T>
PYK_FN void product_columns(matrix<T> out, matrix<const T> a, matrix<const T> b, const T* block,
                            typename real_of<T>::type* room, bool adds) {
  constexpr int kRows = product_sizes<T>::kRows, kParts = product_sizes<T>::kParts;
  constexpr int64_t kFew = 2 * kRows, kSize = sizeof(T);  // rows that a panel does not pay for
  const typename real_of<T>::type* panel = room;
  int64_t step = columns * kParts, i = 0;
  if (kParts == 1 && a.rows <= kFew && b.columns == columns && b.step == kSize &&
      b.row_step % kSize == 0) {
    panel = reinterpret_cast<const typename real_of<T>::type*>(b.data);
    step = b.row_step / kSize;
  } else {
    fill_panel<columns, T>(b, room);
  }
  if (block) {
    i = a.rows - a.rows % kRows;
    product_tiles<kRows, columns, T>(
        out, {reinterpret_cast<const char*>(block), i, a.columns, kSize, kRows * kSize},
        kRows * a.columns * kSize, panel, step, adds);
  }
  const auto tiles = [&](const auto rows) PYK_INLINED {
    const int64_t n = (a.rows - i) / rows * rows;
    if (n > 0)
      product_tiles<rows, columns, T>(out.part(i, 0, n, out.columns), a.part(i, 0, n, a.columns),
                                      rows * a.row_step, panel, step, adds);
    i += n;
  };
  tiles(std::integral_constant<int, kRows>());
  if constexpr (kRows > 4) tiles(std::integral_constant<int, 4>());
  if constexpr (kRows > 2) tiles(std::integral_constant<int, 2>());
  tiles(std::integral_constant<int, 1>());
}

// Tiles of rows behind one another, in each the elements of a column.
template <int rows, class T>
PYK_FN void fill_block(matrix<const T> a, T* block) {
  for (int64_t i = 0; i + rows <= a.rows; i += rows)
    for (int64_t k = 0; k < a.columns; ++k, block += rows)
      for (int r = 0; r < rows; ++r) block[r] = a(i + r, k);
}

// All columns of a product, strip(width, first, how many): as vectors of three widths. The last
// ones of a width go back to columns that are done already, where that changes none of them.
template <class T, class Strip>
PYK_INLINE void each_strip(int64_t columns, bool once, const Strip& strip) {
  using sizes = product_sizes<T>;
  int64_t j = 0;
  const auto take = [&](const auto width, int64_t rest) PYK_INLINED {
    for (; columns - j >= width; j += width) strip(width, j, width);
    if (columns - j <= rest || columns < width) return;
    const int64_t first = once ? columns - width : j;
    strip(width, first, columns - first);
    j = columns;
  };
  take(std::integral_constant<int, sizes::kColumns>(), sizes::kVector);
  take(std::integral_constant<int, sizes::kVector>(), sizes::kVector / 2);
  take(std::integral_constant<int, sizes::kVector / 2>(), 0);
  if (j < columns) strip(std::integral_constant<int, sizes::kVector / 2>(), j, columns - j);
}

template <class T>
PYK_NOINLINE static void tiled_product(matrix<T> out, matrix<const T> a, matrix<const T> b) {
  using sizes = product_sizes<T>;
  constexpr int64_t kMany = 16 * sizes::kColumns;  // columns that pay for a block
  constexpr int64_t kShallow = 32;                 // sums: the elements of `out` decide
  alignas(64) typename sizes::real panel[sizes::kDepth * sizes::kColumns * sizes::kParts];
  const auto least = [](int64_t x, int64_t y) { return x < y ? x : y; };
  const bool is_wide = b.columns > kMany, is_deep = a.columns > kShallow;
  const int64_t most = is_wide && !is_deep ? 2 * sizes::kRows : sizes::kBlock;
  T* block = nullptr;
  if (is_wide && is_deep && a.rows >= sizes::kRows)
    block = static_cast<T*>(std::malloc(size_t(least(a.rows, sizes::kBlock)) *
                                        size_t(least(a.columns, sizes::kDepth)) * sizeof(T)));
  for (int64_t k = 0; k < a.columns; k += sizes::kDepth) {
    const int64_t depth = least(a.columns - k, sizes::kDepth);
    for (int64_t i = 0; i < a.rows; i += most) {
      const int64_t rows = least(a.rows - i, most);
      const auto some = a.part(i, k, rows, depth);
      if (block) fill_block<sizes::kRows, T>(some, block);
      each_strip<T>(b.columns, depth == a.columns,
                    [&](const auto width, int64_t j, int64_t columns) PYK_INLINED {
                      product_columns<width, T>(out.part(i, j, rows, columns), some,
                                                b.part(k, j, depth, columns), block, panel, k > 0);
                    });
    }
  }
  std::free(block);
}

// So many rows of `a` at a time, of all that there are: the sums of each and `x`, which lie in
// memory as they are counted.
template <int rows, class T>
PYK_FUSED PYK_NOINLINE static void row_sums(matrix<T> out, matrix<const T> a, const T* x) {
  PYK_FUSE
  constexpr int kWidth = product_sizes<T>::kVector;
  using vector = typename vector_of<T, kWidth>::type;
  for (int64_t first = 0; first < a.rows; first += rows) {
    const T* row[rows];
    for (int i = 0; i < rows; ++i) row[i] = &a(first + i, 0);
    T sum[rows] = {};
    int64_t k = 0;
    if (a.columns >= 2 * kWidth && !sums_in_order) {
      vector parts[rows][2] = {};
#pragma GCC unroll 1
      for (; k + 2 * kWidth <= a.columns; k += 2 * kWidth)
        for (int i = 0; i < rows; ++i)
          for (int v = 0; v < 2; ++v)
            parts[i][v] = parts[i][v] + loaded<vector>(row[i] + k + v * kWidth) *
                                            loaded<vector>(x + k + v * kWidth);
      for (int i = 0; i < rows; ++i) {
        lane<T, kWidth> both;
        parts[i][0] += parts[i][1];
        __builtin_memcpy(&both, &parts[i][0], sizeof parts[i][0]);
        sum[i] = total(both);
      }
    }
    for (; k < a.columns; ++k)
      for (int i = 0; i < rows; ++i) sum[i] = sum[i] + row[i][k] * x[k];
    for (int i = 0; i < rows; ++i) out(first + i, 0) = sum[i];
  }
}

// Of all rows, four at a time.
template <class T>
PYK_FN void all_row_sums(matrix<T> out, matrix<const T> a, const T* x) {
  const int64_t most = a.rows / 4 * 4, rest = a.rows - most;
  row_sums<4, T>(out.part(0, 0, most, 1), a.part(0, 0, most, a.columns), x);
  row_sums<1, T>(out.part(most, 0, rest, 1), a.part(most, 0, rest, a.columns), x);
}

// Complex rows are real ones of twice the length: their products with re, -im, re, … of `x` are
// real parts, with im, re, im, … imaginary ones. Is there memory for both?
template <class R>
PYK_FN bool complex_row_sums(matrix<complex<R>> out, matrix<const complex<R>> a,
                             const complex<R>* x) {
  const int64_t n = 2 * a.columns;
  R* const both = static_cast<R*>(std::malloc(size_t(2 * n) * sizeof(R)));
  if (!both) return false;
  for (int64_t k = 0; k < a.columns; ++k) {
    both[2 * k] = both[n + 2 * k + 1] = x[k].re;
    both[2 * k + 1] = -x[k].im;
    both[n + 2 * k] = x[k].im;
  }
  const matrix<const R> rows{a.data, a.rows, n, a.row_step, int64_t(sizeof(R))};
  all_row_sums<R>({out.data, out.rows, 1, out.row_step, out.step}, rows, both);
  all_row_sums<R>({out.data + sizeof(R), out.rows, 1, out.row_step, out.step}, rows, both + n);
  std::free(both);
  return true;
}

template <class T>
PYK_NOINLINE static void any_product(matrix<T> out, matrix<const T> a, matrix<const T> b) {
  constexpr int64_t kSize = sizeof(T);
  if (a.columns == 0) {
    for (int64_t i = 0; i < out.rows; ++i)
      for (int64_t j = 0; j < out.columns; ++j) out(i, j) = T(0);
    return;
  }
  const bool lie_so = (a.step == kSize && b.row_step == kSize) || a.columns == 1;
  if (b.columns == 1 && lie_so) {
    const T* const x = reinterpret_cast<const T*>(b.data);
    if constexpr (product_sizes<T>::kParts == 1) return all_row_sums<T>(out, a, x);
    if constexpr (product_sizes<T>::kParts == 2 && !sums_in_order)
      if (complex_row_sums(out, a, x)) return;
  }
  tiled_product<T>(out, a, b);
}

}  // namespace detail

template <class T, int N, class K, class A, class L, class B, class M>
PYK_FN void product(array<T, N, K> out, array<A, 2, L> a, array<B, N, M> b) {
  detail::any_product<T>(detail::matrix_of(out), detail::matrix_of(array<const T, 2, L>(a)),
                         detail::matrix_of(array<const T, N, M>(b)));
}

}  // namespace pyk::lanes
