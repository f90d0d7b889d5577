// contiguous_callee.py:5  def total(a): …    float64(float64[:])
template <class L>
double total(pyk::array<const double, 1, L> a) noexcept {
  double s = 0.0;
  for (const double x : a)
    s += x;
  return s;
}
PYK_LAYOUTS(total);

// contiguous_callee.py:13  def grand_total(a): …    float64(float64[:,::1])
double grand_total(pyk::array<const double, 2, pyk::C> a) noexcept {
  double s = 0.0;
  for (int64_t row_at = 0; row_at < a.shape(0); ++row_at) {
    const auto row = pyk::view<pyk::C>(a, row_at, pyk::all);
    s += total<pyk::C>(row);
  }
  return s;
}
