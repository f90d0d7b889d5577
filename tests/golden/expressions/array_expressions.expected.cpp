// array_expressions.py:7  def saxpy(x, y, a): …
//     float64[::1](float64[::1], float64[::1], float64)
pyk::status saxpy(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> y,
                  double a, pyk::owned<double, 1, pyk::C>& result) noexcept {
  const int64_t n = pyk::extent_of_both(x.shape(0), y.shape(0));
  if (!(pyk::broadcasts(x, n) && pyk::broadcasts(y, n))) return pyk::raise(site::value_8);
  const auto x_2 = pyk::fitted(x, n);
  if (!x_2.is_valid()) return pyk::no_memory;
  const auto y_2 = pyk::fitted(y, n);
  if (!y_2.is_valid()) return pyk::no_memory;
  auto array = pyk::empty<double, pyk::C>(n);
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i)
    array(i) = a * x_2(i) + y_2(i);
  result = array;
  return pyk::ok;
}

// array_expressions.py:12  def jacobi(u, v): …    void(float64[:,::1], float64[:,::1])
pyk::status jacobi(pyk::array<const double, 2, pyk::C> u,
                   pyk::array<double, 2, pyk::C> v) noexcept {
  const auto operand = pyk::view<pyk::A>(u, pyk::until(-2), pyk::slice(1, -1));
  const auto operand_2 = pyk::view<pyk::A>(u, pyk::from(2), pyk::slice(1, -1));
  const auto operand_3 = pyk::view<pyk::A>(u, pyk::slice(1, -1), pyk::until(-2));
  const auto operand_4 = pyk::view<pyk::A>(u, pyk::slice(1, -1), pyk::from(2));
  const auto v_2 = pyk::view<pyk::A>(v, pyk::slice(1, -1), pyk::slice(1, -1));
  if (!(pyk::broadcasts(operand, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_2, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_3, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_4, v_2.shape(0), v_2.shape(1))))
    return pyk::raise(site::value_13);
  const auto operand_5 = pyk::fitted_to(operand, v_2);
  if (!operand_5.is_valid()) return pyk::no_memory;
  const auto operand_6 = pyk::fitted_to(operand_2, v_2);
  if (!operand_6.is_valid()) return pyk::no_memory;
  const auto operand_7 = pyk::fitted_to(operand_3, v_2);
  if (!operand_7.is_valid()) return pyk::no_memory;
  const auto operand_8 = pyk::fitted_to(operand_4, v_2);
  if (!operand_8.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < v_2.shape(0); ++i)
    for (int64_t j = 0; j < v_2.shape(1); ++j)
      v_2(i, j) = 0.25 * (operand_5(i, j) + operand_6(i, j) + operand_7(i, j) + operand_8(i, j));
  return pyk::ok;
}

// array_expressions.py:17  def rows(a, w): …    void(float64[:,::1], float64[::1])
pyk::status rows(pyk::array<double, 2, pyk::C> a, pyk::array<const double, 1, pyk::C> w) noexcept {
  if (!pyk::broadcasts(w, a.shape(0), a.shape(1))) return pyk::raise(site::value_18);
  const auto w_2 = pyk::fitted_to(w, a);
  if (!w_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < a.shape(0); ++i)
    for (int64_t j = 0; j < a.shape(1); ++j)
      a(i, j) = a(i, j) * w_2(j);
  const auto a_2 = pyk::view<pyk::C>(a, 0, pyk::all);
  const auto operand = pyk::view<pyk::C>(a, 1, pyk::all);
  if (!pyk::broadcasts(operand, a_2.shape(0))) return pyk::raise(site::value_19);
  const auto operand_2 = pyk::fitted_to(operand, a_2);
  if (!operand_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < a_2.shape(0); ++i)
    a_2(i) = a_2(i) - operand_2(i);
  return pyk::ok;
}

// array_expressions.py:23  def distance(a, b): …    float64(float64[::1], float64[::1])
pyk::status distance(pyk::array<const double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b,
                     double& result) noexcept {
  const int64_t n = pyk::extent_of_both(a.shape(0), b.shape(0));
  if (!(pyk::broadcasts(a, n) && pyk::broadcasts(b, n))) return pyk::raise(site::value_24);
  const auto a_2 = pyk::fitted(a, n);
  if (!a_2.is_valid()) return pyk::no_memory;
  const auto b_2 = pyk::fitted(b, n);
  if (!b_2.is_valid()) return pyk::no_memory;
  double total = 0.0;
  int64_t done = 0;
  if (n >= 64) {
    pyk::lane<double, 16> parts;
    #pragma omp simd
    for (int32_t k = 0; k < 16; ++k)
      parts[k] = 0.0;
    for (int64_t first = 0; first < n - 15; first += 16) {
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        const int64_t i = first + k;
        const double x = a_2(i) - b_2(i);
        parts[k] += x * x;
      }
    }
    total += pyk::total(parts);
    done = n - n % 16;
  }
  for (int64_t i = done; i < n; ++i) {
    const double x = a_2(i) - b_2(i);
    total = pyk::in_order(total + x * x);
  }
  result = pyk::np::sqrt(total);
  return pyk::ok;
}

// pyk2cu's linalg.py:85  def add_four_columns(a, b, out): …
//     void(float32[:,::1], float32[:,::1], float32[:,::1])
static inline void add_four_columns(pyk::array<const float, 2, pyk::C> a,
                                    pyk::array<const float, 2, pyk::C> b,
                                    pyk::array<float, 2, pyk::C> out) noexcept {
  int64_t i = 0;
  while (i < a.shape(0)) {
    float s = out(i, 0);
    float t = out(i, 1);
    float u = out(i, 2);
    float v = out(i, 3);
    for (int64_t k = 0; k < b.shape(0); ++k) {
      const float x = a(i, k);
      s = pyk::in_order(s + x * b(k, 0));
      t = pyk::in_order(t + x * b(k, 1));
      u = pyk::in_order(u + x * b(k, 2));
      v = pyk::in_order(v + x * b(k, 3));
    }
    out(i, 0) = s;
    out(i, 1) = t;
    out(i, 2) = u;
    out(i, 3) = v;
    i += 1;
  }
}

// pyk2cu's linalg.py:100  def few_short_columns(a, b, out): …
//     void(float32[:,::1], float32[:,::1], float32[:,::1])
static inline void few_short_columns(pyk::array<const float, 2, pyk::C> a,
                                     pyk::array<const float, 2, pyk::C> b,
                                     pyk::array<float, 2, pyk::C> out) noexcept {
  const int64_t columns = b.shape(1);
  const int64_t first = columns / 4 * 4;
  if (first > 0) add_four_columns(a, b, out);
  if (columns == first + 3) {
    int64_t i = 0;
    while (i < a.shape(0)) {
      float s = out(i, first);
      float t = out(i, first + 1);
      float u = out(i, first + 2);
      for (int64_t k = 0; k < b.shape(0); ++k) {
        const float x = a(i, k);
        s = pyk::in_order(s + x * b(k, first));
        t = pyk::in_order(t + x * b(k, first + 1));
        u = pyk::in_order(u + x * b(k, first + 2));
      }
      out(i, first) = s;
      out(i, first + 1) = t;
      out(i, first + 2) = u;
      i += 1;
    }
  } else if (columns == first + 2) {
    int64_t i = 0;
    while (i < a.shape(0)) {
      float s = out(i, first);
      float t = out(i, first + 1);
      for (int64_t k = 0; k < b.shape(0); ++k) {
        const float x = a(i, k);
        s = pyk::in_order(s + x * b(k, first));
        t = pyk::in_order(t + x * b(k, first + 1));
      }
      out(i, first) = s;
      out(i, first + 1) = t;
      i += 1;
    }
  } else if (columns == first + 1) {
    int64_t i = 0;
    while (i < a.shape(0)) {
      float s = out(i, first);
      for (int64_t k = 0; k < b.shape(0); ++k)
        s = pyk::in_order(s + a(i, k) * b(k, first));
      out(i, first) = s;
      i += 1;
    }
  }
}

// pyk2cu's linalg.py:73  def few_long_columns(a, b, out): …
//     void(float32[:,::1], float32[:,::1], float32[:,::1])
static inline pyk::status few_long_columns(pyk::array<const float, 2, pyk::C> a,
                                           pyk::array<const float, 2, pyk::C> b,
                                           pyk::array<float, 2, pyk::C> out) noexcept {
  auto array = pyk::empty<float, pyk::C>(b.shape(1), b.shape(0));
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i_2 = 0; i_2 < array.shape(0); ++i_2)
    for (int64_t i_3 = 0; i_3 < array.shape(1); ++i_3)
      array(i_2, i_3) = b(i_3, i_2);
  const pyk::owned<float, 2, pyk::C> columns = std::move(array);
  auto row = pyk::empty<float, pyk::C>(a.shape(1));
  if (!row.is_valid()) return pyk::no_memory;
  const bool apart = row.shape(0) == columns.shape(1);
  for (int64_t i = 0; i < a.shape(0); ++i) {
    for (int64_t k = 0; k < row.shape(0); ++k)
      row(k) = a(i, k);
    if (apart && columns.shape(0) >= 27) {
      for (int64_t j = 0; j < columns.shape(0); j += 64) {
        const int32_t count = pyk::min(64, columns.shape(0) - j);
        const int64_t n = row.shape(0);
        pyk::lane<float, 64> total;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 64; ++k_2)
          total[k_2] = 0.0f;
        for (int64_t i_2 = 0; i_2 < n; ++i_2) {
          const float same = row(i_2);
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < count; ++k_2)
            total[k_2] = total[k_2] + same * columns(j + k_2, i_2);
        }
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2)
          out(i, j + k_2) = total[k_2];
      }
    } else {
      for (int64_t j = 0; j < columns.shape(0); ++j) {
        const auto right = pyk::view<pyk::C>(columns, j, pyk::all);
        const int64_t n = row.shape(0);
        if (n != right.shape(0)) return pyk::raise(site::value_81);
        float total = 0.0f;
        int64_t done = 0;
        if (n >= 128) {
          pyk::lane<float, 32> parts;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            parts[k_2] = 0.0f;
          for (int64_t first = 0; first < n - 31; first += 32) {
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
              const int64_t i_2 = first + k_2;
              parts[k_2] += row(i_2) * right(i_2);
            }
          }
          total += pyk::total(parts);
          done = n - n % 32;
        }
        for (int64_t i_2 = done; i_2 < n; ++i_2)
          total = pyk::in_order(total + row(i_2) * right(i_2));
        out(i, j) = total;
      }
    }
  }
  return pyk::ok;
}

// pyk2cu's linalg.py:141  def few_columns(a, b, out): …
//     void(float32[:,::1], float32[:,::1], float32[:,::1])
static inline pyk::status few_columns(pyk::array<const float, 2, pyk::C> a,
                                      pyk::array<const float, 2, pyk::C> b,
                                      pyk::array<float, 2, pyk::C> out) noexcept {
  if (b.shape(0) < 64) {
    few_short_columns(a, b, out);
  } else {
    if (const auto status = few_long_columns(a, b, out)) return status;
  }
  return pyk::ok;
}

// array_expressions.py:28  def product(a, b): …    float32[:,::1](float32[:,::1], float32[:,::1])
pyk::status product(pyk::array<const float, 2, pyk::C> a, pyk::array<const float, 2, pyk::C> b,
                    pyk::owned<float, 2, pyk::C>& result) noexcept {
  const int64_t n = a.shape(1);
  if (n != b.shape(0)) return pyk::raise(site::value_29);
  const int64_t rows = a.shape(0);
  const int64_t columns = b.shape(1);
  auto array = pyk::zeros<float, pyk::C>(rows, columns);
  if (!array.is_valid()) return pyk::no_memory;
  if (columns < 8) {
    if (const auto status = few_columns(a, b, array)) return status;
  } else {
    const bool apart = 0 < n && 7 < columns;
    if (apart) {
      const int64_t i_step = pyk::tile_rows(rows, n, false);
      for (int64_t i_first = 0; i_first < rows; i_first += i_step) {
        const int64_t i_last = i_first + pyk::min(i_step, rows - i_first);
        const int64_t i_rest = i_last - (i_last - i_first) % 4;
        for (int64_t i = 0; i < columns; i += 64) {
          pyk::lanes::gang<64>(columns - i, [&](const auto count) PYK_INLINED {
            const pyk::owned<float, 2, pyk::C> b_panel =
                pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, n), pyk::slice(i, i + count)),
                                  int64_t(64), pyk::sub(i_rest, i_first) >= 32 && 0 < n);
            for (int64_t i_2 = i_first; i_2 < i_rest; i_2 += 4) {
              pyk::lane<float, 64> sum, sum_2, sum_3, sum_4;
              #pragma omp simd
              for (int32_t k = 0; k < count; ++k) {
                sum[k] = array(i_2, i + k);
                sum_2[k] = array(i_2 + 1, i + k);
                sum_3[k] = array(i_2 + 2, i + k);
                sum_4[k] = array(i_2 + 3, i + k);
              }
              for (int64_t i_3 = 0; i_3 < n; ++i_3) {
                const float same = a(i_2, i_3);
                const float same_2 = a(i_2 + 1, i_3);
                const float same_3 = a(i_2 + 2, i_3);
                const float same_4 = a(i_2 + 3, i_3);
                #pragma omp simd
                for (int32_t k = 0; k < count; ++k) {
                  sum[k] = sum[k] + same * b_panel(i_3, k);
                  sum_2[k] = sum_2[k] + same_2 * b_panel(i_3, k);
                  sum_3[k] = sum_3[k] + same_3 * b_panel(i_3, k);
                  sum_4[k] = sum_4[k] + same_4 * b_panel(i_3, k);
                }
              }
              #pragma omp simd
              for (int32_t k = 0; k < count; ++k) {
                array(i_2, i + k) = sum[k];
                array(i_2 + 1, i + k) = sum_2[k];
                array(i_2 + 2, i + k) = sum_3[k];
                array(i_2 + 3, i + k) = sum_4[k];
              }
            }
            for (int64_t i_2 = i_rest; i_2 < i_last; ++i_2) {
              pyk::lane<float, 64> sum;
              #pragma omp simd
              for (int32_t k = 0; k < count; ++k)
                sum[k] = array(i_2, i + k);
              for (int64_t i_3 = 0; i_3 < n; ++i_3) {
                const float same = a(i_2, i_3);
                #pragma omp simd
                for (int32_t k = 0; k < count; ++k)
                  sum[k] = sum[k] + same * b_panel(i_3, k);
              }
              #pragma omp simd
              for (int32_t k = 0; k < count; ++k)
                array(i_2, i + k) = sum[k];
            }
          });
        }
      }
    } else {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t i_2 = 0; i_2 < n; ++i_2)
          for (int64_t i_3 = 0; i_3 < columns; ++i_3)
            array(i, i_3) += a(i, i_2) * b(i_2, i_3);
    }
  }
  const int64_t n_2 = array.shape(0);
  const int64_t n_3 = array.shape(1);
  auto array_2 = pyk::empty<float, pyk::C>(n_2, n_3);
  if (!array_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n_2; ++i)
    for (int64_t j = 0; j < n_3; ++j)
      array_2(i, j) = pyk::min(pyk::max(double(array(i, j)), 0.0), 1.0);
  result = array_2;
  return pyk::ok;
}

// array_expressions.py:33  def square(a): …    float64[:,::1](float64[::1])
pyk::status square(pyk::array<const double, 1, pyk::C> a,
                   pyk::owned<double, 2, pyk::C>& result) noexcept {
  const int64_t n = a.shape(0);
  auto array = pyk::empty<double, pyk::C>(n);
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i) {
    const double x = a(i);
    array(i) = x > 0.5 ? x : 0.0;
  }
  const int64_t extent = pyk::extent_left(array, int64_t(2));
  if (!pyk::has_shape(array, extent, int64_t(2))) return pyk::raise(site::value_34);
  result = pyk::share(pyk::reshaped(array, extent, int64_t(2)), array);
  return pyk::ok;
}
