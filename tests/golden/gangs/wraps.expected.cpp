// wraps.py:6  def shifted(a, x, n): …        void(float64[::1], float64[::1], int64)
void shifted(pyk::array<double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> x,
             int64_t n) noexcept {
  const bool apart = 0 + n >= 0 && pyk::add(x.shape(0) - 1, n) >= 0 && pyk::lanes::disjoint(a, x);
  if (apart && x.shape(0) >= 8) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> value;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        value[k] = 0.0;
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        alive.at[k] = k < count;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        value[k] = x(i + k);
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & (value[k] > 1.0);
        if (!pyk::any(alive)) break;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          value[k] = pyk::lanes::choose(alive[k], value[k] * 0.5, value[k]);
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        a(pyk::add(i + k, n)) = a(pyk::add(i + k, n)) * 0.5 + value[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double value = x(i);
      while (value > 1.0)
        value *= 0.5;
      a(pyk::wrap(pyk::add(i, n), a.shape(0))) =
          a(pyk::wrap(pyk::add(i, n), a.shape(0))) * 0.5 + value;
    }
  }
}

// wraps.py:15  def two_columns(x, out): …    void(float64[::1], float64[:,::1])
void two_columns(pyk::array<const double, 1, pyk::C> x,
                 pyk::array<double, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart && x.shape(0) >= 8) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lanes::given(out.shape(1) == 2, [&](const auto known) PYK_INLINED {
        pyk::lanes::assume(!known || out.shape(1) == 2);
        pyk::lane<double, 16> value;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          value[k] = 0.0;
        pyk::lane<double, 16> steps;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          steps[k] = 0.0;
          alive.at[k] = k < count;
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          value[k] = x(i + k);
        while (true) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            alive.at[k] = alive[k] & (value[k] > 1.0);
          if (!pyk::any(alive)) break;
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k) {
            value[k] = pyk::lanes::choose(alive[k], value[k] * 0.5, value[k]);
            steps[k] = pyk::lanes::choose(alive[k], steps[k] + 1.0, steps[k]);
          }
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          out(i + k, 0) = value[k];
          out(i + k, 1) = steps[k];
        }
      });
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double value = x(i);
      double steps = 0.0;
      while (value > 1.0) {
        value *= 0.5;
        steps += 1.0;
      }
      out(i, 0) = value;
      out(i, 1) = steps;
    }
  }
}
