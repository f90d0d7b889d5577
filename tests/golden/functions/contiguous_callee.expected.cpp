// contiguous_callee.py:5  def total(a): …    float64(float64[:])
double total(pyk::array<const double, 1, pyk::A> a) noexcept {
  double s = 0.0;
  for (int64_t x_at = 0; x_at < a.shape(0); ++x_at) {
    const double x = a(x_at);
    s += x;
  }
  return s;
}

// contiguous_callee.py:5  def total(a): …    float64(float64[::1])
double total__c(pyk::array<const double, 1, pyk::C> a) noexcept {
  double s = 0.0;
  for (int64_t x_at = 0; x_at < a.shape(0); ++x_at) {
    const double x = a(x_at);
    s += x;
  }
  return s;
}

// contiguous_callee.py:13  def grand_total(a): …    float64(float64[:,::1])
double grand_total(pyk::array<const double, 2, pyk::C> a) noexcept {
  double s = 0.0;
  for (int64_t row_at = 0; row_at < a.shape(0); ++row_at) {
    const auto row = pyk::view<pyk::C>(a, row_at, pyk::all);
    s += total__c(row);
  }
  return s;
}
