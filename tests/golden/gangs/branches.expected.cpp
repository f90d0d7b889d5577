// branches.py:8  def relax(x, y, out, n): …
//     void(float64[::1], float64[::1], float64[::1], int64)
void relax(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> y,
           pyk::array<double, 1, pyk::C> out, int64_t n) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, y);
  if (apart && x.shape(0) >= 15) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      pyk::lane<double, 32> a;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        a[k] = 0.0;
      pyk::lane<double, 32> b;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        b[k] = 0.0;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        a[k] = x(i + k);
      for (int64_t j = 0; j < n; ++j) {
        const double read = y(j);
        if (read > 0.5) {
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k) {
            const bool taken = a[k] > read;
            b[k] = pyk::lanes::choose(taken, b[k] + a[k] * read, b[k]);
          }
        }
        if (n > 100) {
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k)
            b[k] = b[k] * 0.5;
        }
        pyk::lane<pyk::mask<int64_t>, 32> taken, other;
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k) {
          const bool holds = a[k] < b[k];
          taken.at[k] = (k < count) & holds;
          other.at[k] = (k < count) & !holds;
        }
        if (pyk::any(taken)) {
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k) {
            a[k] = pyk::lanes::choose(taken[k], a[k] + pyk::lanes::exp(-b[k]), a[k]);
            b[k] =
                pyk::lanes::choose(taken[k],
                                   b[k] / (1.0 + a[k] * a[k]) + pyk::math::sqrt(a[k] + b[k]), b[k]);
          }
        }
        if (pyk::any(other)) {
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k)
            b[k] = pyk::lanes::choose(other[k], pyk::max(a[k], b[k]), b[k]);
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = a[k] + b[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double a = x(i);
      double b = 0.0;
      for (int64_t j = 0; j < n; ++j) {
        if (y(j) > 0.5 && a > y(j)) b = pyk::rounded(b + a * y(j));
        if (n > 100) b *= 0.5;
        if (a < b) {
          a = pyk::rounded(a + pyk::math::exp(-b));
          b = b / (1.0 + a * a) + pyk::math::sqrt(a + b);
        } else {
          b = pyk::max(a, b);
        }
      }
      out(i) = a + b;
    }
  }
}
