namespace PYK_ISA {

// sum2d.py:6  def sum2d(a): …                float64(float64[:,:])
template <class L>
double sum2d(pyk::array<const double, 2, L> a) noexcept {
  const auto [m, n] = a.shape();
  double total = 0.0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      total += a(i, j);
  return total;
}
PYK_LAYOUTS(sum2d);

// sum2d.py:16  def sum2d_parallel(a): …      float64(float64[:,:])
template <class L>
double sum2d_parallel(pyk::array<const double, 2, L> a) noexcept {
  const int64_t m = a.shape(0);
  const int64_t n = a.shape(1);
  double total = 0.0;
  #pragma omp parallel for firstprivate(a) reduction(+ : total) if (double(m) * n > 10000.0)
  for (int64_t i = 0; i < m; ++i) {
    #pragma omp simd reduction(+ : total)
    for (int64_t j = 0; j < n; ++j)
      total += a(i, j);
  }
  return total;
}
PYK_LAYOUTS(sum2d_parallel);

}  // namespace PYK_ISA
