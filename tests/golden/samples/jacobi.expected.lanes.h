namespace PYK_ISA {

// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,:], float64[:,:])
template <class L>
double jacobi(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept {
  double error = 0.0;
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}
PYK_LAYOUTS(jacobi);

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,:], float64[:,:])
template <class L>
double jacobi_parallel(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept {
  double error = 0.0;
  #pragma omp parallel for firstprivate(a, b) reduction(max : error) \
      if ((a.shape(0) - 1) * (a.shape(1) - 1) > 2000)
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}
PYK_LAYOUTS(jacobi_parallel);

}  // namespace PYK_ISA
