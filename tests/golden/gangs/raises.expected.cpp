// raises.py:6  def series(x, out, n): …      void(float64[::1], float64[::1], int64)
pyk::status series(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out,
                   int64_t n) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart && x.shape(0) >= 8) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> kept;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        kept[k] = 0.0;
      pyk::lane<pyk::mask<int64_t>, 16> failed, alive;
      pyk::lane<double, 16> total, term;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        failed.at[k] = false;
        alive.at[k] = k < count;
        total[k] = 0.0;
        term[k] = 1.0;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        kept[k] = x(i + k);
      for (int64_t j = 0; j < n; ++j) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const double divisor = kept[k] + j;
          const bool taken = alive[k] & (divisor == 0.0);
          failed.at[k] = failed[k] | taken;
          alive.at[k] = alive[k] & !taken;
          term[k] = term[k] * kept[k] / divisor;
          total[k] = pyk::lanes::choose(alive[k], total[k] + term[k], total[k]);
        }
        if (!pyk::any(alive)) break;
      }
      if (pyk::any(failed)) {
        for (int64_t i_2 = i; i_2 < i + count; ++i_2) {
          double total_2 = 0.0;
          double term_2 = 1.0;
          for (int64_t j = 0; j < n; ++j) {
            const double divisor = x(i_2) + j;
            if (divisor == 0.0) return pyk::raise(site::division_11);
            term_2 = term_2 * x(i_2) / divisor;
            total_2 += term_2;
          }
          out(i_2) = total_2;
        }
      } else {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = total[k];
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double total = 0.0;
      double term = 1.0;
      for (int64_t j = 0; j < n; ++j) {
        const double divisor = x(i) + j;
        if (divisor == 0.0) return pyk::raise(site::division_11);
        term = term * x(i) / divisor;
        total += term;
      }
      out(i) = total;
    }
  }
  return pyk::ok;
}
