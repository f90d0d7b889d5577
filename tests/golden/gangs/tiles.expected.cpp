// tiles.py:6  def products(a, b, c): …       void(float64[:,::1], float64[:,::1], float64[:,::1])
void products(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
              pyk::array<double, 2, pyk::C> c) noexcept {
  const bool apart = pyk::lanes::disjoint(c, a, b) && 0 < b.shape(0) && 7 < c.shape(1);
  if (apart) {
    const int64_t i_step = pyk::tile_rows(c.shape(0), b.shape(0), false);
    for (int64_t i_first = 0; i_first < c.shape(0); i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, c.shape(0) - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < c.shape(1); j += 32) {
        pyk::lanes::gang<32>(c.shape(1) - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, b.shape(0)),
                                                  pyk::slice(j, j + count)), int64_t(32),
                                pyk::sub(i_rest, i_first) >= 32);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> sum, sum_2, sum_3, sum_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              sum[k_2] = c(i, j + k_2);
              sum_2[k_2] = c(i + 1, j + k_2);
              sum_3[k_2] = c(i + 2, j + k_2);
              sum_4[k_2] = c(i + 3, j + k_2);
            }
            for (int64_t k = 0; k < b.shape(0); ++k) {
              const double same = a(i, k);
              const double same_2 = a(i + 1, k);
              const double same_3 = a(i + 2, k);
              const double same_4 = a(i + 3, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                sum[k_2] = sum[k_2] + same * b_panel(k, k_2);
                sum_2[k_2] = sum_2[k_2] + same_2 * b_panel(k, k_2);
                sum_3[k_2] = sum_3[k_2] + same_3 * b_panel(k, k_2);
                sum_4[k_2] = sum_4[k_2] + same_4 * b_panel(k, k_2);
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              c(i, j + k_2) = sum[k_2];
              c(i + 1, j + k_2) = sum_2[k_2];
              c(i + 2, j + k_2) = sum_3[k_2];
              c(i + 3, j + k_2) = sum_4[k_2];
            }
          }
          for (int64_t i = i_rest; i < i_last; ++i) {
            pyk::lane<double, 32> sum;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              sum[k_2] = c(i, j + k_2);
            for (int64_t k = 0; k < b.shape(0); ++k) {
              const double same = a(i, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2)
                sum[k_2] = sum[k_2] + same * b_panel(k, k_2);
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              c(i, j + k_2) = sum[k_2];
          }
        });
      }
    }
  } else {
    for (int64_t i = 0; i < c.shape(0); ++i) {
      for (int64_t k = 0; k < b.shape(0); ++k) {
        const double scale = a(i, k);
        for (int64_t j = 0; j < c.shape(1); ++j)
          c(i, j) += scale * b(k, j);
      }
    }
  }
}

// tiles.py:15  def distances(x, y, out): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void distances(pyk::array<const double, 2, pyk::C> x, pyk::array<const double, 2, pyk::C> y,
               pyk::array<double, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, y) && 7 < y.shape(1);
  if (apart) {
    const int64_t i_step = pyk::tile_rows(x.shape(0), x.shape(1), true);
    #pragma omp parallel for firstprivate(y, x, out) \
        if (double(x.shape(0)) * y.shape(1) * x.shape(1) > 5000.0)
    for (int64_t i_first = 0; i_first < x.shape(0); i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, x.shape(0) - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < y.shape(1); j += 32) {
        pyk::lanes::gang<32>(y.shape(1) - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> y_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(y, pyk::slice(0, x.shape(1)),
                                                  pyk::slice(j, j + count)), int64_t(32),
                                pyk::sub(i_rest, i_first) >= 32);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> total, total_2, total_3, total_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
              total[k_2] = 0.0;
              total_2[k_2] = 0.0;
              total_3[k_2] = 0.0;
              total_4[k_2] = 0.0;
            }
            for (int64_t k = 0; k < x.shape(1); ++k) {
              const double same = x(i, k);
              const double same_2 = x(i + 1, k);
              const double same_3 = x(i + 2, k);
              const double same_4 = x(i + 3, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                const double x_2 = same - y_panel(k, k_2);
                const double x_3 = same_2 - y_panel(k, k_2);
                const double x_4 = same_3 - y_panel(k, k_2);
                const double x_5 = same_4 - y_panel(k, k_2);
                total[k_2] = total[k_2] + x_2 * x_2;
                total_2[k_2] = total_2[k_2] + x_3 * x_3;
                total_3[k_2] = total_3[k_2] + x_4 * x_4;
                total_4[k_2] = total_4[k_2] + x_5 * x_5;
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              out(i, j + k_2) = total[k_2];
              out(i + 1, j + k_2) = total_2[k_2];
              out(i + 2, j + k_2) = total_3[k_2];
              out(i + 3, j + k_2) = total_4[k_2];
            }
          }
          for (int64_t i = i_rest; i < i_last; ++i) {
            pyk::lane<double, 32> total;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2)
              total[k_2] = 0.0;
            for (int64_t k = 0; k < x.shape(1); ++k) {
              const double same = x(i, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                const double x_2 = same - y_panel(k, k_2);
                total[k_2] = total[k_2] + x_2 * x_2;
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              out(i, j + k_2) = total[k_2];
          }
        });
      }
    }
  } else {
    #pragma omp parallel for firstprivate(y, x, out) \
        if (double(x.shape(0)) * y.shape(1) * x.shape(1) > 5000.0)
    for (int64_t i = 0; i < x.shape(0); ++i) {
      for (int64_t j = 0; j < y.shape(1); ++j) {
        double total = 0.0;
        for (int64_t k = 0; k < x.shape(1); ++k) {
          const double x_2 = x(i, k) - y(k, j);
          total = pyk::in_order(total + x_2 * x_2);
        }
        out(i, j) = total;
      }
    }
  }
}
