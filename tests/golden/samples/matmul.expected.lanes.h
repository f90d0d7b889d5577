namespace PYK_ISA {

// matmul.py:6  def matmul_ijk(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_ijk(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                pyk::array<double, 2, pyk::A> c) noexcept {
  const int64_t n = c.shape(0);
  const bool apart = pyk::lanes::disjoint(c, a, b);
  if (apart && n >= 9) {
    for (int64_t i = 0; i < n; i += 32) {
      const int32_t count = pyk::min(32, n - i);
      const pyk::owned<double, 2, pyk::C> a_panel =
          pyk::lanes::panel_across(pyk::view<pyk::A>(a, pyk::slice(i, i + count), pyk::slice(0, n)),
                                   int64_t(32), n >= 8 && 0 < n);
      pyk::lanes::given(a_panel.shape(0) > 0, [&](const auto known) PYK_INLINED {
        for (int64_t j = 0; j < n; ++j) {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            total[k_2] = 0.0;
          for (int64_t k = 0; k < n; ++k) {
            const double same = b(k, j);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              total[k_2] = total[k_2] + (known ? a_panel(k, k_2) : a(i + k_2, k)) * same;
          }
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < count; ++k_2)
            c(i + k_2, j) = total[k_2];
        }
      });
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double total = 0.0;
        for (int64_t k = 0; k < n; ++k)
          total = pyk::in_order(total + a(i, k) * b(k, j));
        c(i, j) = total;
      }
    }
  }
}

// matmul.py:6  def matmul_ijk(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_ijk_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                  pyk::array<double, 2, pyk::C> c) noexcept {
  const int64_t n = c.shape(0);
  const bool apart = pyk::lanes::disjoint(c, a, b) && 7 < n;
  if (apart) {
    const int64_t i_step = pyk::tile_rows(n, n, false);
    for (int64_t i_first = 0; i_first < n; i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, n - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < n; j += 32) {
        pyk::lanes::gang<32>(n - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, n), pyk::slice(j, j + count)),
                                int64_t(32), pyk::sub(i_rest, i_first) >= 32 && 0 < n);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> total, total_2, total_3, total_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
              total[k_2] = 0.0;
              total_2[k_2] = 0.0;
              total_3[k_2] = 0.0;
              total_4[k_2] = 0.0;
            }
            for (int64_t k = 0; k < n; ++k) {
              const double same = a(i, k);
              const double same_2 = a(i + 1, k);
              const double same_3 = a(i + 2, k);
              const double same_4 = a(i + 3, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                total[k_2] = total[k_2] + same * b_panel(k, k_2);
                total_2[k_2] = total_2[k_2] + same_2 * b_panel(k, k_2);
                total_3[k_2] = total_3[k_2] + same_3 * b_panel(k, k_2);
                total_4[k_2] = total_4[k_2] + same_4 * b_panel(k, k_2);
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
            for (int64_t k = 0; k < n; ++k) {
              const double same = a(i, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2)
                total[k_2] = total[k_2] + same * b_panel(k, k_2);
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              c(i, j + k_2) = total[k_2];
          }
        });
      }
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double total = 0.0;
        for (int64_t k = 0; k < n; ++k)
          total = pyk::in_order(total + a(i, k) * b(k, j));
        c(i, j) = total;
      }
    }
  }
}

// matmul.py:17  def matmul_ikj(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_ikj(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                pyk::array<double, 2, pyk::A> c) noexcept {
  const int64_t n = c.shape(0);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j)
      c(i, j) = 0.0;
    for (int64_t k = 0; k < n; ++k) {
      const double x = a(i, k);
      for (int64_t j = 0; j < n; ++j)
        c(i, j) += x * b(k, j);
    }
  }
}

// matmul.py:17  def matmul_ikj(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_ikj_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                  pyk::array<double, 2, pyk::C> c) noexcept {
  const int64_t n = c.shape(0);
  const bool apart = pyk::lanes::disjoint(c, a, b) && 0 < n && 7 < n;
  if (apart) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        c(i, j) = 0.0;
    const int64_t i_step = pyk::tile_rows(n, n, false);
    for (int64_t i_first = 0; i_first < n; i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, n - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < n; j += 32) {
        pyk::lanes::gang<32>(n - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, n), pyk::slice(j, j + count)),
                                int64_t(32), pyk::sub(i_rest, i_first) >= 32 && 0 < n);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> sum, sum_2, sum_3, sum_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              sum[k_2] = c(i, j + k_2);
              sum_2[k_2] = c(i + 1, j + k_2);
              sum_3[k_2] = c(i + 2, j + k_2);
              sum_4[k_2] = c(i + 3, j + k_2);
            }
            for (int64_t k = 0; k < n; ++k) {
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
            for (int64_t k = 0; k < n; ++k) {
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
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j)
        c(i, j) = 0.0;
      for (int64_t k = 0; k < n; ++k) {
        const double x = a(i, k);
        for (int64_t j = 0; j < n; ++j)
          c(i, j) += x * b(k, j);
      }
    }
  }
}

// matmul.py:29  def matmul_parallel(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_parallel(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                     pyk::array<double, 2, pyk::A> c) noexcept {
  const int64_t n = c.shape(0);
  #pragma omp parallel for firstprivate(c, a, b) if (double(n) * n * n > 6000.0)
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j)
      c(i, j) = 0.0;
    for (int64_t k = 0; k < n; ++k) {
      const double x = a(i, k);
      for (int64_t j = 0; j < n; ++j)
        c(i, j) += x * b(k, j);
    }
  }
}

// matmul.py:29  def matmul_parallel(a, b, c): …
//     void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_parallel_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                       pyk::array<double, 2, pyk::C> c) noexcept {
  const int64_t n = c.shape(0);
  const bool apart = pyk::lanes::disjoint(c, a, b) && 0 < n && 7 < n;
  if (apart) {
    #pragma omp parallel for firstprivate(c, a, b) if (double(n) * n * n > 6000.0)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        c(i, j) = 0.0;
    const int64_t i_step = pyk::tile_rows(n, n, true);
    #pragma omp parallel for firstprivate(c, a, b) if (double(n) * n * n > 6000.0)
    for (int64_t i_first = 0; i_first < n; i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, n - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < n; j += 32) {
        pyk::lanes::gang<32>(n - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, n), pyk::slice(j, j + count)),
                                int64_t(32), pyk::sub(i_rest, i_first) >= 32 && 0 < n);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> sum, sum_2, sum_3, sum_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              sum[k_2] = c(i, j + k_2);
              sum_2[k_2] = c(i + 1, j + k_2);
              sum_3[k_2] = c(i + 2, j + k_2);
              sum_4[k_2] = c(i + 3, j + k_2);
            }
            for (int64_t k = 0; k < n; ++k) {
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
            for (int64_t k = 0; k < n; ++k) {
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
    #pragma omp parallel for firstprivate(c, a, b) if (double(n) * n * n > 6000.0)
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j)
        c(i, j) = 0.0;
      for (int64_t k = 0; k < n; ++k) {
        const double x = a(i, k);
        for (int64_t j = 0; j < n; ++j)
          c(i, j) += x * b(k, j);
      }
    }
  }
}

}  // namespace PYK_ISA
