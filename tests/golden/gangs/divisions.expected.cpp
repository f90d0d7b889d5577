// divisions.py:8  def gcd(a, b, out): …      void(int64[::1], int64[::1], int64[::1])
void gcd(pyk::array<const int64_t, 1, pyk::C> a, pyk::array<const int64_t, 1, pyk::C> b,
         pyk::array<int64_t, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, a, b);
  if (apart && a.shape(0) >= 8) {
    for (int64_t i = 0; i < a.shape(0); i += 16) {
      const int32_t count = pyk::min(16, a.shape(0) - i);
      pyk::lane<int64_t, 16> x, y;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        x[k] = 0;
        y[k] = 0;
      }
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        alive.at[k] = k < count;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        x[k] = a(i + k);
        y[k] = b(i + k);
      }
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & (y[k] != 0);
        if (!pyk::any(alive)) break;
        pyk::lane<int64_t, 16> rest;
        pyk::lanes::mod(x, y, rest);
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const int64_t old = rest[k];
          x[k] = pyk::lanes::choose(alive[k], y[k], x[k]);
          y[k] = old;
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = x[k];
    }
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      int64_t x = a(i);
      int64_t y = b(i);
      while (y != 0) {
        const int64_t old = pyk::mod(x, y);
        x = y;
        y = old;
      }
      out(i) = x;
    }
  }
}

// divisions.py:17  def digits(a, base, out): …    void(int64[::1], int64, float64[::1])
void digits(pyk::array<const int64_t, 1, pyk::C> a, int64_t base,
            pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, a);
  if (apart && a.shape(0) >= 9) {
    for (int64_t i = 0; i < a.shape(0); i += 16) {
      const int32_t count = pyk::min(16, a.shape(0) - i);
      pyk::lane<int64_t, 16> n;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        n[k] = 0;
      pyk::lane<int64_t, 16> total;
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        total[k] = 0;
        alive.at[k] = k < count;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        n[k] = a(i + k);
      while (true) {
        const bool same = base > 1;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & ((n[k] > 0) & same);
        if (!pyk::any(alive)) break;
        pyk::lane<int64_t, 16> quotient;
        pyk::lanes::floordiv(n, base, quotient);
        pyk::lane<int64_t, 16> rest;
        pyk::lanes::mod(n, base, rest);
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          total[k] =
              pyk::lanes::choose(alive[k],
                                 pyk::add(total[k], !pyk::lanes::is_odd(quotient[k]) ? rest[k] : 1),
                                 total[k]);
        pyk::lane<int64_t, 16> quotient_2;
        pyk::lanes::floordiv(n, base, quotient_2);
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          n[k] = quotient_2[k];
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = total[k] * 0.5;
    }
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      int64_t n = a(i);
      int64_t total = 0;
      while (n > 0 && base > 1) {
        total = pyk::add(total, pyk::floordiv(n, base) % 2 == 0 ? pyk::mod(n, base) : 1);
        n /= base;
      }
      out(i) = total * 0.5;
    }
  }
}

// divisions.py:27  def powers(n, out): …     void(int64[::1], float64[::1])
void powers(pyk::array<const int64_t, 1, pyk::C> n, pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, n);
  if (apart && n.shape(0) >= 8) {
    for (int64_t i = 0; i < n.shape(0); i += 16) {
      const int32_t count = pyk::min(16, n.shape(0) - i);
      pyk::lane<int64_t, 16> left;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        left[k] = 0;
      double base = 1.5;
      pyk::lane<double, 16> result;
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        result[k] = 1.0;
        alive.at[k] = k < count;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        left[k] = n(i + k);
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & (left[k] > 0);
        if (!pyk::any(alive)) break;
        const double same = pyk::math::sqrt(base);
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const bool taken = alive[k] & pyk::lanes::is_odd(left[k]);
          result[k] = pyk::lanes::choose(taken, result[k] * base, result[k]);
          const bool taken_2 = alive[k] & (!pyk::lanes::is_odd(left[k]) & (result[k] > 9.0));
          result[k] = pyk::lanes::choose(taken_2, result[k] - same, result[k]);
        }
        base = base * base;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          left[k] = left[k] >> 1;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = result[k];
    }
  } else {
    for (int64_t i = 0; i < n.shape(0); ++i) {
      int64_t left = n(i);
      double base = 1.5;
      double result = 1.0;
      while (left > 0) {
        if ((left & 1) != 0) result *= base;
        if (left % 2 == 0 && result > 9.0) result = pyk::rounded(result - pyk::math::sqrt(base));
        base = base * base;
        left = left >> 1;
      }
      out(i) = result;
    }
  }
}
