// raises.py:5  def raises(a, limit): …       void(float64[::1], float64)
pyk::status raises(pyk::array<double, 1, pyk::C> a, double limit) noexcept {
  pyk::first_error error;
  #pragma omp parallel for firstprivate(a) if (a.shape(0) > 6000)
  for (int64_t i = 0; i < a.shape(0); ++i) {
    if (error.is_before(i)) continue;
    error.keep(i, [&]() -> pyk::status {
      if (a(i) > limit) return pyk::raise(1, i);
      a(i) = 2.0 * a(i);
      return pyk::ok;
    }());
  }
  return error.get();
}
