// monte_carlo_pi.py:8  def monte_carlo_pi(n): …    float64(int64)
pyk::status monte_carlo_pi(int64_t n, double& result) noexcept {
  int64_t inside = 0;
  for (int64_t _ = 0; _ < n; ++_) {
    const double x = pyk::random::random();
    const double y = pyk::random::random();
    if (x * x + y * y < 1.0) inside += 1;
  }
  if (n == 0) return pyk::raise(site::division_15);
  result = 4.0 * inside / n;
  return pyk::ok;
}

// monte_carlo_pi.py:19  def monte_carlo_pi_parallel(n): …    float64(int64)
pyk::status monte_carlo_pi_parallel(int64_t n, double& result) noexcept {
  int64_t inside = 0;
  #pragma omp parallel for reduction(+ : inside) if (n > 800)
  for (int64_t _ = 0; _ < n; ++_) {
    const double x = pyk::random::random();
    const double y = pyk::random::random();
    if (x * x + y * y < 1.0) inside += 1;
  }
  if (n == 0) return pyk::raise(site::division_26);
  result = 4.0 * inside / n;
  return pyk::ok;
}
