namespace PYK_ISA {

// monte_carlo_pi.py:8  def monte_carlo_pi(n): …    float64(int64)
pyk::status monte_carlo_pi(int64_t n, double& result) noexcept {
  int64_t inside = 0;
  const bool apart = pyk::lanes::unseeded();
  if (apart) {
    for (int64_t _ = 0; _ < n; _ += 32) {
      const int32_t count = pyk::min(32, n - _);
      pyk::lane<double, 32> drawn;
      pyk::random::random(drawn);
      pyk::lane<double, 32> x;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        x[k] = drawn[k];
      pyk::lane<double, 32> drawn_2;
      pyk::random::random(drawn_2);
      pyk::lane<pyk::mask<int64_t>, 32> taken;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        const double y = drawn_2[k];
        taken.at[k] = (k < count) & (x[k] * x[k] + y * y < 1.0);
      }
      #pragma omp simd reduction(+ : inside)
      for (int32_t k = 0; k < 32; ++k)
        if (taken[k]) inside += 1;
    }
  } else {
    for (int64_t _ = 0; _ < n; ++_) {
      const double x = pyk::random::random();
      const double y = pyk::random::random();
      if (x * x + y * y < 1.0) inside += 1;
    }
  }
  if (n == 0) return pyk::raise(site::division_15);
  result = 4.0 * inside / n;
  return pyk::ok;
}

// monte_carlo_pi.py:19  def monte_carlo_pi_parallel(n): …    float64(int64)
pyk::status monte_carlo_pi_parallel(int64_t n, double& result) noexcept {
  int64_t inside = 0;
  const bool apart = pyk::lanes::unseeded();
  if (apart) {
    #pragma omp parallel for reduction(+ : inside) if (n > 800)
    for (int64_t _ = 0; _ < n; _ += 32) {
      const int32_t count = pyk::min(32, n - _);
      pyk::lane<double, 32> drawn;
      pyk::random::random(drawn);
      pyk::lane<double, 32> x;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        x[k] = drawn[k];
      pyk::lane<double, 32> drawn_2;
      pyk::random::random(drawn_2);
      pyk::lane<pyk::mask<int64_t>, 32> taken;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        const double y = drawn_2[k];
        taken.at[k] = (k < count) & (x[k] * x[k] + y * y < 1.0);
      }
      #pragma omp simd reduction(+ : inside)
      for (int32_t k = 0; k < 32; ++k)
        if (taken[k]) inside += 1;
    }
  } else {
    #pragma omp parallel for reduction(+ : inside) if (n > 800)
    for (int64_t _ = 0; _ < n; ++_) {
      const double x = pyk::random::random();
      const double y = pyk::random::random();
      if (x * x + y * y < 1.0) inside += 1;
    }
  }
  if (n == 0) return pyk::raise(site::division_26);
  result = 4.0 * inside / n;
  return pyk::ok;
}

}  // namespace PYK_ISA
