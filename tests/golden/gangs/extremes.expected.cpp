// extremes.py:6  def spread(x): …            float64(float64[::1])
double spread(pyk::array<const double, 1, pyk::C> x) noexcept {
  const double value = x(0);
  double low = value;
  double high = value;
  const bool apart = x.shape(0) - 1 >= 64;
  if (apart) {
    int64_t i_rest = x.shape(0) - (x.shape(0) - 1) % 32;
    pyk::lane<double, 32> low_2;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      low_2[k] = low;
    const double low_start = low;
    pyk::lane<double, 32> high_2;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      high_2[k] = high;
    const double high_start = high;
    for (int64_t i = 1; i < i_rest; i += 32) {
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        low_2[k] = pyk::min(low_2[k], x(i + k));
        const double read = x(i + k);
        high_2[k] = read > high_2[k] ? read : high_2[k];
      }
    }
    for (int32_t k = 0; k < 32; ++k)
      low = pyk::min(low, low_2[k]);
    for (int32_t k = 0; k < 32; ++k)
      high = pyk::max(high, high_2[k]);
    if (low == 0.0 || high == 0.0) {
      low = low_start;
      high = high_start;
      i_rest = 1;
    }
    for (int64_t i = i_rest; i < x.shape(0); ++i) {
      low = pyk::min(low, x(i));
      if (x(i) > high) high = x(i);
    }
  } else {
    for (int64_t i = 1; i < x.shape(0); ++i) {
      low = pyk::min(low, x(i));
      if (x(i) > high) high = x(i);
    }
  }
  return high - low;
}

// extremes.py:16  def step(x, out): …        float64(float64[::1], float64[::1])
double step(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out) noexcept {
  double most = 0.0;
  const bool apart = pyk::lanes::disjoint(out, x) && x.shape(0) >= 64;
  if (apart) {
    const int64_t i_rest = x.shape(0) - x.shape(0) % 32;
    pyk::lane<double, 32> most_2;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      most_2[k] = most;
    for (int64_t i = 0; i < i_rest; i += 32) {
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        const double old = out(i + k);
        out(i + k) = 0.5 * (old + x(i + k));
        most_2[k] = pyk::max(most_2[k], pyk::abs(out(i + k) - old));
      }
    }
    for (int32_t k = 0; k < 32; ++k)
      most = pyk::max(most, most_2[k]);
    for (int64_t i = i_rest; i < x.shape(0); ++i) {
      const double old = out(i);
      out(i) = 0.5 * (old + x(i));
      most = pyk::max(most, pyk::abs(out(i) - old));
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      const double old = out(i);
      out(i) = 0.5 * (old + x(i));
      most = pyk::max(most, pyk::abs(out(i) - old));
    }
  }
  return most;
}
