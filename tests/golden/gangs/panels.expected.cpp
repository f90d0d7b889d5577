// panels.py:7  def product(a, b, c): …       void(float64[:,::1], float64[:,::1], float64[:,::1])
void product(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
             pyk::array<double, 2, pyk::C> c) noexcept {
  const bool apart = pyk::lanes::disjoint(c, a, b) && 7 < c.shape(1);
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
          total = pyk::in_order(total + a(i, k) * b(k, j));
        c(i, j) = total;
      }
    }
  }
}

// panels.py:17  def least_path(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void least_path(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                pyk::array<double, 2, pyk::C> c) noexcept {
  const bool apart = pyk::lanes::disjoint(c, a, b);
  #pragma omp parallel for firstprivate(c, b, a) \
      if (double(c.shape(0)) * c.shape(1) * b.shape(0) > 5000.0)
  for (int64_t i = 0; i < c.shape(0); ++i) {
    if (apart && c.shape(1) >= 8) {
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

// panels.py:25  def distances(x, y, out): …    void(float32[:,::1], float32[:,::1], float32[:,::1])
void distances(pyk::array<const float, 2, pyk::C> x, pyk::array<const float, 2, pyk::C> y,
               pyk::array<float, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, y) && 7 < y.shape(0);
  if (apart) {
    const int64_t i_step = pyk::tile_rows(x.shape(0), x.shape(1), false);
    for (int64_t i_first = 0; i_first < x.shape(0); i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, x.shape(0) - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < y.shape(0); j += 64) {
        pyk::lanes::gang<64>(y.shape(0) - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<float, 2, pyk::C> y_panel =
              pyk::lanes::panel_across(pyk::view<pyk::A>(
                  y, pyk::slice(j, j + count), pyk::slice(0, x.shape(1))), int64_t(64),
                                       pyk::sub(i_rest, i_first) >= 8);
          pyk::lanes::given(y_panel.shape(0) > 0, [&](const auto known) PYK_INLINED {
            const int64_t i_end = known ? i_rest : i_first;
            for (int64_t i = i_first; i < i_end; i += 4) {
              pyk::lane<float, 64> total, total_2, total_3, total_4;
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < 64; ++k_2) {
                total[k_2] = 0.0f;
                total_2[k_2] = 0.0f;
                total_3[k_2] = 0.0f;
                total_4[k_2] = 0.0f;
              }
              for (int64_t k = 0; k < x.shape(1); ++k) {
                const float same = x(i, k);
                const float same_2 = x(i + 1, k);
                const float same_3 = x(i + 2, k);
                const float same_4 = x(i + 3, k);
                #pragma omp simd
                for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                  total[k_2] =
                      total[k_2] + (same - (known ? y_panel(k, k_2) : y(j + k_2, k))) *
                      (same - (known ? y_panel(k, k_2) : y(j + k_2, k)));
                  total_2[k_2] =
                      total_2[k_2] + (same_2 - (known ? y_panel(k, k_2) : y(j + k_2, k))) *
                      (same_2 - (known ? y_panel(k, k_2) : y(j + k_2, k)));
                  total_3[k_2] =
                      total_3[k_2] + (same_3 - (known ? y_panel(k, k_2) : y(j + k_2, k))) *
                      (same_3 - (known ? y_panel(k, k_2) : y(j + k_2, k)));
                  total_4[k_2] =
                      total_4[k_2] + (same_4 - (known ? y_panel(k, k_2) : y(j + k_2, k))) *
                      (same_4 - (known ? y_panel(k, k_2) : y(j + k_2, k)));
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
            for (int64_t i = known ? i_rest : i_first; i < i_last; ++i) {
              pyk::lane<float, 64> total;
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < 64; ++k_2)
                total[k_2] = 0.0f;
              for (int64_t k = 0; k < x.shape(1); ++k) {
                const float same = x(i, k);
                #pragma omp simd
                for (int32_t k_2 = 0; k_2 < count; ++k_2)
                  total[k_2] =
                      total[k_2] + (same - (known ? y_panel(k, k_2) : y(j + k_2, k))) *
                      (same - (known ? y_panel(k, k_2) : y(j + k_2, k)));
              }
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2)
                out(i, j + k_2) = total[k_2];
            }
          });
        });
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      for (int64_t j = 0; j < y.shape(0); ++j) {
        float total = 0.0f;
        for (int64_t k = 0; k < x.shape(1); ++k)
          total = pyk::in_order(total + (x(i, k) - y(j, k)) * (x(i, k) - y(j, k)));
        out(i, j) = total;
      }
    }
  }
}

// panels.py:36  def nearest(points, centres, labels): …
//     void(float64[:,::1], float64[:,::1], int64[::1])
void nearest(pyk::array<const double, 2, pyk::C> points,
             pyk::array<const double, 2, pyk::C> centres,
             pyk::array<int64_t, 1, pyk::C> labels) noexcept {
  if (points.shape(0) >= 8) {
    #pragma omp parallel for firstprivate(centres, points, labels) \
        if (double(points.shape(0)) * centres.shape(0) * points.shape(1) > 5000.0)
    for (int64_t i = 0; i < points.shape(0); i += 32) {
      const int32_t count = pyk::min(32, points.shape(0) - i);
      const pyk::owned<double, 2, pyk::C> points_panel =
          pyk::lanes::panel_across(pyk::view<pyk::A>(points, pyk::slice(i, i + count),
                                                     pyk::slice(0, points.shape(1))), int64_t(32),
                                   centres.shape(0) >= 8);
      pyk::lane<double, 32> smallest;
      pyk::lane<int64_t, 32> best;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
        smallest[k_2] = pyk::infinity<double>;
        best[k_2] = -1;
      }
      pyk::lanes::given(points_panel.shape(0) > 0, [&](const auto known) PYK_INLINED {
        for (int64_t c = 0; c < centres.shape(0); ++c) {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            total[k_2] = 0.0;
          for (int64_t k = 0; k < points.shape(1); ++k) {
            const double same = centres(c, k);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              const double x = (known ? points_panel(k, k_2) : points(i + k_2, k)) - same;
              total[k_2] = total[k_2] + x * x;
            }
          }
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
            const bool taken = total[k_2] < smallest[k_2];
            smallest[k_2] = pyk::lanes::choose(taken, total[k_2], smallest[k_2]);
            best[k_2] = taken ? c : best[k_2];
          }
        }
      });
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        labels(i + k_2) = best[k_2];
    }
  } else {
    #pragma omp parallel for firstprivate(centres, points, labels) \
        if (double(points.shape(0)) * centres.shape(0) * points.shape(1) > 5000.0)
    for (int64_t i = 0; i < points.shape(0); ++i) {
      double smallest = pyk::infinity<double>;
      int64_t best = -1;
      for (int64_t c = 0; c < centres.shape(0); ++c) {
        double total = 0.0;
        for (int64_t k = 0; k < points.shape(1); ++k) {
          const double x = points(i, k) - centres(c, k);
          total = pyk::in_order(total + x * x);
        }
        if (total < smallest) {
          smallest = total;
          best = c;
        }
      }
      labels(i) = best;
    }
  }
}

// panels.py:50  def nearest_other(points, out): …    void(float64[:,::1], int64[::1])
void nearest_other(pyk::array<const double, 2, pyk::C> points,
                   pyk::array<int64_t, 1, pyk::C> out) noexcept {
  if (points.shape(0) >= 8) {
    #pragma omp parallel for firstprivate(points, out) \
        if (double(points.shape(0)) * points.shape(0) * points.shape(1) > 5000.0)
    for (int64_t i = 0; i < points.shape(0); i += 32) {
      const int32_t count = pyk::min(32, points.shape(0) - i);
      const pyk::owned<double, 2, pyk::C> points_panel =
          pyk::lanes::panel_across(pyk::view<pyk::A>(points, pyk::slice(i, i + count),
                                                     pyk::slice(0, points.shape(1))), int64_t(32),
                                   points.shape(0) >= 8);
      pyk::lane<double, 32> smallest;
      pyk::lane<int64_t, 32> best;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
        smallest[k_2] = pyk::infinity<double>;
        best[k_2] = -1;
      }
      pyk::lanes::given(points_panel.shape(0) > 0, [&](const auto known) PYK_INLINED {
        for (int64_t j = 0; j < points.shape(0); ++j) {
          pyk::lane<pyk::mask<int64_t>, 32> taken;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            taken.at[k_2] = (k_2 < count) & (j != i + k_2);
          if (pyk::any(taken)) {
            pyk::lane<double, 32> total;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2)
              total[k_2] = 0.0;
            for (int64_t k = 0; k < points.shape(1); ++k) {
              const double same = points(j, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                const double x = (known ? points_panel(k, k_2) : points(i + k_2, k)) - same;
                total[k_2] = total[k_2] + x * x;
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
              const bool taken_2 = taken[k_2] & (total[k_2] < smallest[k_2]);
              smallest[k_2] = pyk::lanes::choose(taken_2, total[k_2], smallest[k_2]);
              best[k_2] = pyk::lanes::choose(taken_2, j, best[k_2]);
            }
          }
        }
      });
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        out(i + k_2) = best[k_2];
    }
  } else {
    #pragma omp parallel for firstprivate(points, out) \
        if (double(points.shape(0)) * points.shape(0) * points.shape(1) > 5000.0)
    for (int64_t i = 0; i < points.shape(0); ++i) {
      double smallest = pyk::infinity<double>;
      int64_t best = -1;
      for (int64_t j = 0; j < points.shape(0); ++j) {
        if (j == i) continue;
        double total = 0.0;
        for (int64_t k = 0; k < points.shape(1); ++k) {
          const double x = points(i, k) - points(j, k);
          total = pyk::in_order(total + x * x);
        }
        if (total < smallest) {
          smallest = total;
          best = j;
        }
      }
      out(i) = best;
    }
  }
}
