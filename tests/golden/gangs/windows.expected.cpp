// windows.py:6  def rolling(x, n, out): …    void(float64[::1], int64, float64[::1])
pyk::status rolling(pyk::array<const double, 1, pyk::C> x, int64_t n,
                    pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart =
      n >= -140737488355328 && n <= 140737488355328 && n != 0 && n - 1 >= 0 &&
      x.shape(0) - 1 >= 0 && pyk::lanes::disjoint(out, x);
  if (apart && pyk::sub(x.shape(0), pyk::sub(n, 1)) >= 8) {
    for (int64_t i = pyk::sub(n, 1); i < x.shape(0); i += 32) {
      pyk::lanes::gang<32>(x.shape(0) - i, [&](const auto count) PYK_INLINED {
        pyk::lane<double, 32> total;
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k)
          total[k] = 0.0;
        for (int64_t j_step = 0; j_step < n; ++j_step) {
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k)
            total[k] = total[k] + x(i + k - n + 1 + j_step);
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = total[k] / n;
      });
    }
  } else {
    for (int64_t i = pyk::sub(n, 1); i < x.shape(0); ++i) {
      double total = 0.0;
      for (int64_t j = pyk::add(pyk::sub(i, n), 1); j < i + 1; ++j)
        total = pyk::in_order(total + x(pyk::wrap(j, x.shape(0))));
      if (n == 0) return pyk::raise(site::division_11);
      out(pyk::wrap(i, out.shape(0))) = total / n;
    }
  }
  return pyk::ok;
}

// windows.py:15  def behind(x, n, out): …    void(float64[::1], int64, float64[::1])
void behind(pyk::array<const double, 1, pyk::C> x, int64_t n,
            pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart =
      n >= -140737488355328 && n <= 140737488355328 && n >= 0 && x.shape(0) - 1 >= 0 &&
      pyk::lanes::disjoint(out, x);
  if (apart && pyk::sub(x.shape(0), n) >= 8) {
    for (int64_t i = n; i < x.shape(0); i += 32) {
      pyk::lanes::gang<32>(x.shape(0) - i, [&](const auto count) PYK_INLINED {
        pyk::lane<double, 32> total;
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k)
          total[k] = 0.0;
        for (int64_t j = 0; j < n; ++j) {
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k)
            total[k] = total[k] + x(i + k - j);
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = total[k];
      });
    }
  } else {
    for (int64_t i = n; i < x.shape(0); ++i) {
      double total = 0.0;
      for (int64_t j = 0; j < n; ++j)
        total = pyk::in_order(total + x(pyk::wrap(pyk::sub(i, j), x.shape(0))));
      out(pyk::wrap(i, out.shape(0))) = total;
    }
  }
}

// windows.py:24  def flips(x, out): …        void(float64[::1], int64[::1])
void flips(pyk::array<const double, 1, pyk::C> x, pyk::array<int64_t, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> z;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 16; ++k_2)
        z[k_2] = 0.0;
      pyk::lane<pyk::mask<int64_t>, 16> inside, seen, alive;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 16; ++k_2) {
        inside.at[k_2] = false;
        seen.at[k_2] = false;
        alive.at[k_2] = k_2 < count;
      }
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        z[k_2] = x(i + k_2);
      for (int64_t k = 0; k < 50; ++k) {
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 16; ++k_2) {
          z[k_2] = z[k_2] * z[k_2] - 1.25;
          const bool taken = alive[k_2] & (z[k_2] > 0.5);
          inside.at[k_2] = inside[k_2] ^ taken;
          bool taken_2 = alive[k_2] & (z[k_2] > 1.5);
          seen.at[k_2] = (taken_2 & (z[k_2] > 2.0)) | (seen[k_2] & !taken_2);
          const bool taken_3 = taken_2 & (z[k_2] > 9.0);
          taken_2 = taken_2 & !taken_3;
          alive.at[k_2] = alive[k_2] & !taken_3;
        }
        if (!pyk::any(alive)) break;
      }
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        out(i + k_2) = inside[k_2] + 2 * seen[k_2];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      bool inside = false;
      bool seen = false;
      double z = x(i);
      for (int64_t k = 0; k < 50; ++k) {
        z = z * z - 1.25;
        if (z > 0.5) inside = !inside;
        if (z > 1.5) {
          seen = z > 2.0;
          if (z > 9.0) break;
        }
      }
      out(i) = inside + 2 * seen;
    }
  }
}
