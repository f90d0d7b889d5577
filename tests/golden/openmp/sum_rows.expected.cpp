// sum_rows.py:6  def sum_rows(a, out): …     void(float64[:,::1], float64[::1])
void sum_rows(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  #pragma omp parallel for firstprivate(a, out) if (double(a.shape(0)) * a.shape(1) > 10000.0)
  for (int64_t i = 0; i < a.shape(0); i += 32) {
    const int32_t count = pyk::min(32, a.shape(0) - i);
    pyk::lane<double, 32> total;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      total[k] = 0.0;
    for (int64_t j = 0; j < a.shape(1); ++j) {
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        total[k] = total[k] + a(i + k, j);
    }
    #pragma omp simd
    for (int32_t k = 0; k < count; ++k)
      out(i + k) = total[k];
  }
}
