// reductions.py:5  def reductions(a): …      Tuple((int64, float64, float64))(float64[::1])
pyk::tuple<int64_t, double, double> reductions(pyk::array<const double, 1, pyk::C> a) noexcept {
  int64_t count = 0;
  double least = 1e300;
  double greatest = -1e300;
  #pragma omp parallel for simd firstprivate(a) reduction(+ : count) reduction(min : least) \
      reduction(max : greatest) if (a.shape(0) > 4000)
  for (int64_t i = 0; i < a.shape(0); ++i) {
    if (a(i) > 0.5) count += 1;
    least = pyk::min(least, a(i));
    if (a(i) > greatest) greatest = a(i);
  }
  return pyk::tuple{count, least, greatest};
}
