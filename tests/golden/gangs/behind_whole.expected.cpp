// behind_whole.py:7  def means(levels, rows, weights, out): …
//     void(float32[:,::1], int32[::1], float32[::1], float64[::1])
void means(pyk::array<const float, 2, pyk::C> levels, pyk::array<const int32_t, 1, pyk::C> rows,
           pyk::array<const float, 1, pyk::C> weights, pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, levels, rows, weights);
  for (int64_t t = 0; t < 2; ++t) {
    if (apart && levels.shape(1) >= 10) {
      const int64_t k_rest = levels.shape(1) - levels.shape(1) % 32;
      for (int64_t k = 0; k < k_rest; k += 32) {
        const int32_t count = 32;
        pyk::lane<float, 32> value;
        pyk::lane<pyk::mask<int32_t>, 32> taken;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
          value[k_2] = 0.0f;
          taken.at[k_2] = false;
        }
        pyk::lane<double, 32> total;
        pyk::lane<int64_t, 32> found;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
          total[k_2] = 0.0;
          found[k_2] = 0;
        }
        for (int64_t m = 0; m < rows.shape(0); ++m) {
          const int32_t same = rows(m);
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < count; ++k_2) {
            value[k_2] = levels(pyk::wrap(same, levels.shape(0)), k + k_2);
            taken.at[k_2] = (k_2 < count) & !pyk::np::isnan(value[k_2]);
          }
          if (pyk::any(taken)) {
            const float same_2 = weights(m);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
              total[k_2] =
                  pyk::lanes::choose(taken[k_2], total[k_2] + value[k_2] * same_2, total[k_2]);
              found[k_2] = pyk::lanes::choose(taken[k_2], pyk::add(found[k_2], 1), found[k_2]);
            }
          }
        }
        pyk::lane<pyk::mask<int64_t>, 32> taken_2;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          taken_2.at[k_2] = (k_2 < count) & (found[k_2] > 0);
        if (pyk::any(taken_2)) {
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            if (taken_2[k_2]) out(k + k_2) = total[k_2] / found[k_2];
        }
      }
      for (int64_t k = k_rest; k < levels.shape(1); ++k) {
        double total = 0.0;
        int64_t found = 0;
        for (int64_t m = 0; m < rows.shape(0); ++m) {
          const float value = levels(pyk::wrap(rows(m), levels.shape(0)), k);
          if (!pyk::np::isnan(value)) {
            total += value * weights(m);
            found += 1;
          }
        }
        if (found > 0) out(k) = total / found;
      }
    } else {
      for (int64_t k = 0; k < levels.shape(1); ++k) {
        double total = 0.0;
        int64_t found = 0;
        for (int64_t m = 0; m < rows.shape(0); ++m) {
          const float value = levels(pyk::wrap(rows(m), levels.shape(0)), k);
          if (!pyk::np::isnan(value)) {
            total += value * weights(m);
            found += 1;
          }
        }
        if (found > 0) out(k) = total / found;
      }
    }
  }
}
