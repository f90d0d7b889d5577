// contiguous_callee.py:5  def total(a): …    float64(float64[:])
template <class L>
double total(pyk::array<const double, 1, L> a) noexcept {
  double s = 0.0;
  for (const double x : a)
    s += x;
  return s;
}
PYK_LAYOUTS(total);

// contiguous_callee.py:13  def grand_total(a): …    float64(float64[:,::1])
double grand_total(pyk::array<const double, 2, pyk::C> a) noexcept {
  double s = 0.0;
  if (a.shape(0) >= 19) {
    for (int64_t row_at = 0; row_at < a.shape(0); row_at += 32) {
      const int32_t count = pyk::min(32, a.shape(0) - row_at);
      pyk::lane<double, 32> s_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        s_2[k] = 0.0;
      for (int64_t x_at = 0; x_at < a.shape(1); ++x_at) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          const double x = a(row_at + k, x_at);
          s_2[k] = s_2[k] + x;
        }
      }
      pyk::lane<double, 32> total_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        total_2[k] = s_2[k];
      for (int32_t k = 0; k < count; ++k)
        s += total_2[k];
    }
  } else {
    for (int64_t row_at = 0; row_at < a.shape(0); ++row_at) {
      const auto row = pyk::view<pyk::C>(a, row_at, pyk::all);
      s += (total<pyk::C>)(row);
    }
  }
  return s;
}
