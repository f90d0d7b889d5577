// floats.py:5  def never_zero(x, y): …       float64(float64, float32)
double never_zero(double x, float y) noexcept {
  return 1.0 / (1.0 + pyk::abs(x)) + 2.0 / (x * x + 0.5 + 0.5) + 1.0 / (1.0 + y * y);
}

// floats.py:10  def maybe_zero(x, y): …      float64(float64, float64)
pyk::status maybe_zero(double x, double y, double& result) noexcept {
  const double divisor = 1.0 - pyk::abs(x);
  if (divisor == 0.0) return pyk::raise(site::division_11);
  const double divisor_2 = x * y + 1.0;
  if (divisor_2 == 0.0) return pyk::raise(site::division_11_2);
  const double divisor_3 = pyk::abs(x);
  if (divisor_3 == 0.0) return pyk::raise(site::division_11_3);
  const double divisor_4 = pyk::abs(x) * pyk::abs(y);
  if (divisor_4 == 0.0) return pyk::raise(site::division_11_4);
  result = 1.0 / divisor + 1.0 / divisor_2 + 1.0 / divisor_3 + 1.0 / divisor_4;
  return pyk::ok;
}

// floats.py:15  def in_a_loop(x, n): …       float64(float64, int64)
pyk::status in_a_loop(double x, int64_t n, double& result) noexcept {
  double total = 1.0;
  for (int64_t i = 0; i < n; ++i)
    total += x;
  if (total == 0.0) return pyk::raise(site::division_19);
  result = 1.0 / total;
  return pyk::ok;
}
