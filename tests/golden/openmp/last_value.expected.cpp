// last_value.py:5  def last_value(a): …      float64(float64[::1])
double last_value(pyk::array<double, 1, pyk::C> a) noexcept {
  double x = 0.0;
  #pragma omp parallel for firstprivate(a, x) lastprivate(x) if (a.shape(0) > 6000)
  for (int64_t i = 0; i < a.shape(0); ++i) {
    x = a(i) * a(i);
    a(i) = x + 1.0;
  }
  return x;
}
