// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  pyk::status monte_carlo_pi(int64_t n, double& result) noexcept;
  pyk::status monte_carlo_pi_parallel(int64_t n, double& result) noexcept;
)

// monte_carlo_pi.py:8  def monte_carlo_pi(n): …    float64(int64)
pyk::status monte_carlo_pi(int64_t n, double& result) noexcept {
  return PYK_BODY(monte_carlo_pi)(n, result);
}

// monte_carlo_pi.py:19  def monte_carlo_pi_parallel(n): …    float64(int64)
pyk::status monte_carlo_pi_parallel(int64_t n, double& result) noexcept {
  return PYK_BODY(monte_carlo_pi_parallel)(n, result);
}
