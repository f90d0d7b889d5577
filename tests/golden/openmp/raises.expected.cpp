// raises.py:5  def raises(a, limit): …       void(float64[::1], float64)
pyk::status raises(pyk::array<double, 1, pyk::C> a, double limit) noexcept {
  pyk::first_error error;
  // in strips: all checks first, then, if none fails, the loop without them
  #pragma omp parallel for firstprivate(a) if (a.shape(0) > 6000)
  for (int64_t first = 0; first < a.shape(0); first += 256) {
    if (error.is_before(first)) continue;
    error.keep(first, [&]() -> pyk::status {
      const int64_t last = pyk::min(first + 256, a.shape(0));
      bool checked = last - first < 8;
      if (!checked) {
        #pragma omp simd reduction(| : checked)
        for (int64_t i = first; i < last; ++i)
          checked |= a(i) > limit;
      }
      if (checked) {
        for (int64_t i = first; i < last; ++i) {
          if (a(i) > limit) return pyk::raise(1, i);
          a(i) = 2.0 * a(i);
        }
      } else {
        #pragma omp simd
        for (int64_t i = first; i < last; ++i)
          a(i) = 2.0 * a(i);
      }
      return pyk::ok;
    }());
  }
  return error.get();
}
