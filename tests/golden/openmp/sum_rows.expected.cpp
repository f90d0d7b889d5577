// sum_rows.py:6  def sum_rows(a, out): …     void(float64[:,::1], float64[::1])
void sum_rows(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  #pragma omp parallel for firstprivate(a, out) if (a.shape(0) * a.shape(1) > 10000)
  for (int64_t i = 0; i < a.shape(0); ++i) {
    double total = 0.0;
    for (int64_t j = 0; j < a.shape(1); ++j)
      total += a(i, j);
    out(i) = total;
  }
}
