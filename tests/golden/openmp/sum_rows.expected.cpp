// sum_rows.py:6  def sum_rows(a, out): …     void(float64[:,::1], float64[::1])
void sum_rows(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  const int64_t i_rest = a.shape(0) - a.shape(0) % 4;
  #pragma omp parallel for firstprivate(a, out) if (double(a.shape(0)) * a.shape(1) > 10000.0)
  for (int64_t i = 0; i < i_rest; i += 4) {
    double total = 0.0;
    double total_2 = 0.0;
    double total_3 = 0.0;
    double total_4 = 0.0;
    for (int64_t j = 0; j < a.shape(1); ++j) {
      total += a(i, j);
      total_2 += a(i + 1, j);
      total_3 += a(i + 2, j);
      total_4 += a(i + 3, j);
    }
    out(i) = total;
    out(i + 1) = total_2;
    out(i + 2) = total_3;
    out(i + 3) = total_4;
  }
  #pragma omp parallel for firstprivate(a, out) \
      if (a.shape(0) < 256 && double(a.shape(0)) * a.shape(1) > 10000.0)
  for (int64_t i = i_rest; i < a.shape(0); ++i) {
    double total = 0.0;
    for (int64_t j = 0; j < a.shape(1); ++j)
      total += a(i, j);
    out(i) = total;
  }
}
