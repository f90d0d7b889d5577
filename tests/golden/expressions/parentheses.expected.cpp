// parentheses.py:5  def parentheses(a, b, c): …    float64(float64, float64, float64)
pyk::status parentheses(double a, double b, double c, double& result) noexcept {
  const double divisor = b * c;
  if (divisor == 0.0) return pyk::raise(site::division_6);
  const double x = (a + b) * c - a / divisor - (a - (b - c));
  const double y = -(-a) + -b * c;
  result = (a < b && b < c) || a != c ? x : y;
  return pyk::ok;
}
