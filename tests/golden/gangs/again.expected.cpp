// again.py:6  def smallest(a, out, n): …     void(float64[:,::1], float64[:,::1], int64)
void smallest(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 2, pyk::C> out,
              int64_t n) noexcept {
  const bool apart = pyk::lanes::disjoint(out, a);
  for (int64_t y = 0; y < a.shape(0); ++y) {
    if (apart && pyk::sub(a.shape(1) - 1, 1) >= 10) {
      for (int64_t x = 1; x < a.shape(1) - 1; x += 32) {
        const int32_t count = pyk::min(32, a.shape(1) - 1 - x);
        pyk::lane<double, 32> m, kept, kept_2;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
          m[k_2] = 0.0;
          kept[k_2] = 0.0;
          kept_2[k_2] = 0.0;
        }
        const bool same = 0 <= y && y < a.shape(0);
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2) {
          m[k_2] = a(y, x + k_2);
          kept[k_2] =
              same & (0 <= pyk::sub(x + k_2, 1)) & (pyk::sub(x + k_2, 1) < a.shape(1))
              ? a(y, pyk::sub(x + k_2, 1)) : 0.0;
          kept_2[k_2] =
              same & (0 <= pyk::add(x + k_2, 1)) & (pyk::add(x + k_2, 1) < a.shape(1))
              ? a(y, pyk::add(x + k_2, 1)) : 0.0;
        }
        for (int64_t k = 0; k < n; ++k) {
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
            const bool taken = kept[k_2] * k < m[k_2];
            const bool other = !taken;
            m[k_2] = pyk::lanes::choose(taken, kept[k_2] + k, m[k_2]);
            const bool taken_2 = other & (kept_2[k_2] > 2.0);
            m[k_2] = pyk::lanes::choose(taken_2, m[k_2] - kept_2[k_2], m[k_2]);
          }
        }
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2)
          out(y, x + k_2) = m[k_2];
      }
    } else {
      for (int64_t x = 1; x < a.shape(1) - 1; ++x) {
        double m = a(y, x);
        for (int64_t k = 0; k < n; ++k) {
          if (a(y, x - 1) * k < m) {
            m = a(y, x - 1) + k;
          } else if (a(y, x + 1) > 2.0) {
            m = pyk::rounded(m - a(y, x + 1));
          }
        }
        out(y, x) = m;
      }
    }
  }
}

// again.py:19  def changed(a, n, out): …     void(int64[::1], int64[::1], int64[::1])
void changed(pyk::array<const int64_t, 1, pyk::C> a, pyk::array<const int64_t, 1, pyk::C> n,
             pyk::array<int64_t, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < n.shape(0); ++i) {
    int64_t k = n(i);
    int64_t s = 0;
    while (k > 0) {
      if (a(k) > 5) {
        s = pyk::add(s, a(k));
        k = k - a(k) % 3;
        s = pyk::add(s, a(pyk::wrap(k, a.shape(0))));
      }
      k -= 1;
    }
    out(i) = s;
  }
}
