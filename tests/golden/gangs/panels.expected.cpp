// panels.py:6  def product(a, b, c): …       void(float64[:,::1], float64[:,::1], float64[:,::1])
void product(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
             pyk::array<double, 2, pyk::C> c) noexcept {
  const bool apart = pyk::lanes::disjoint(c, a, b) && 3 < c.shape(1);
  if (apart) {
    const int64_t i_step = pyk::tile_rows(c.shape(0), pyk::sub(b.shape(0), 1), false);
    for (int64_t i_first = 0; i_first < c.shape(0); i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, c.shape(0) - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < c.shape(1); j += 32) {
        pyk::lanes::gang<32>(c.shape(1) - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(1, b.shape(0)),
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
            for (int64_t k = 1; k < b.shape(0); ++k) {
              const double same = a(i, k);
              const double same_2 = a(i + 1, k);
              const double same_3 = a(i + 2, k);
              const double same_4 = a(i + 3, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                total[k_2] = total[k_2] + same * b_panel(k - 1, k_2);
                total_2[k_2] = total_2[k_2] + same_2 * b_panel(k - 1, k_2);
                total_3[k_2] = total_3[k_2] + same_3 * b_panel(k - 1, k_2);
                total_4[k_2] = total_4[k_2] + same_4 * b_panel(k - 1, k_2);
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              c(i, j + k_2) = total[k_2];
              c(i + 1, j + k_2) = total_2[k_2];
              c(i + 2, j + k_2) = total_3[k_2];
              c(i + 3, j + k_2) = total_4[k_2];
            }
          }
          for (int64_t i = i_rest; i < i_last; ++i) {
            pyk::lane<double, 32> total;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2)
              total[k_2] = 0.0;
            for (int64_t k = 1; k < b.shape(0); ++k) {
              const double same = a(i, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2)
                total[k_2] = total[k_2] + same * b_panel(k - 1, k_2);
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              c(i, j + k_2) = total[k_2];
          }
        });
      }
    }
  } else {
    for (int64_t i = 0; i < c.shape(0); ++i) {
      for (int64_t j = 0; j < c.shape(1); ++j) {
        double total = 0.0;
        for (int64_t k = 1; k < b.shape(0); ++k)
          total += a(i, k) * b(k, j);
        c(i, j) = total;
      }
    }
  }
}

// panels.py:16  def least_path(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void least_path(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                pyk::array<double, 2, pyk::C> c) noexcept {
  const bool apart = pyk::lanes::disjoint(c, a, b);
  #pragma omp parallel for firstprivate(c, b, a) \
      if (double(c.shape(0)) * c.shape(1) * b.shape(0) > 5000.0)
  for (int64_t i = 0; i < c.shape(0); ++i) {
    if (apart) {
      for (int64_t j = 0; j < c.shape(1); j += 32) {
        pyk::lanes::gang<32>(c.shape(1) - j, [&](const auto count) PYK_INLINED {
          for (int64_t k = 0; k < b.shape(0); ++k) {
            const double same = a(i, k);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              c(i, j + k_2) = pyk::min(c(i, j + k_2), same + b(k, j + k_2));
          }
        });
      }
    } else {
      for (int64_t j = 0; j < c.shape(1); ++j)
        for (int64_t k = 0; k < b.shape(0); ++k)
          c(i, j) = pyk::min(c(i, j), a(i, k) + b(k, j));
    }
  }
}
