// indices.py:5  def indices(a, k): …         float64(float64[::1], int64)
double indices(pyk::array<const double, 1, pyk::C> a, int64_t k) noexcept {
  const int64_t n = a.shape(0);
  double total = a(0) + a(a.shape(0) - 1) + a(n - 1) + a(pyk::wrap(k, a.shape(0)));
  for (int64_t i = 1; i < n - 1; ++i)
    total = pyk::in_order(total + (a(i - 1) + a(i + 1)));
  for (int64_t i = n - 1; i >= 0; --i)
    total += a(i);
  for (int64_t i = 0; i < n; i += 2)
    total = pyk::in_order(total - a(pyk::mod(i + 1, n)));
  if (k > 0) total = pyk::rounded(total + a(k - 1));
  return total;
}
