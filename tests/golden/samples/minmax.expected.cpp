// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[:])
pyk::tuple<double, double> min_max(pyk::array<const double, 1, pyk::A> values) noexcept {
  double low = values(0);
  double high = values(0);
  for (int64_t value_at = 0; value_at < values.shape(0); ++value_at) {
    const double value = values(value_at);
    if (value < low) {
      low = value;
    } else if (value > high) {
      high = value;
    }
  }
  return pyk::tuple{low, high};
}

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[::1])
pyk::tuple<double, double> min_max__c(pyk::array<const double, 1, pyk::C> values) noexcept {
  double low = values(0);
  double high = values(0);
  for (int64_t value_at = 0; value_at < values.shape(0); ++value_at) {
    const double value = values(value_at);
    if (value < low) {
      low = value;
    } else if (value > high) {
      high = value;
    }
  }
  return pyk::tuple{low, high};
}

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
pyk::status rescale(pyk::array<const double, 1, pyk::A> values,
    pyk::array<double, 1, pyk::A> out) noexcept {
  if (values.shape(0) == 0) return pyk::raise(1);
  const auto [low, high] = min_max(values);
  for (int64_t i = 0; i < values.shape(0); ++i) {
    const double value = values(i);
    out(i) = high > low ? (value - low) / (high - low) : 0.0;
  }
  return pyk::ok;
}

// minmax.py:18  def rescale(values, out): …    void(float64[::1], float64[::1])
pyk::status rescale__c(pyk::array<const double, 1, pyk::C> values,
    pyk::array<double, 1, pyk::C> out) noexcept {
  if (values.shape(0) == 0) return pyk::raise(1);
  const auto [low, high] = min_max__c(values);
  for (int64_t i = 0; i < values.shape(0); ++i) {
    const double value = values(i);
    out(i) = high > low ? (value - low) / (high - low) : 0.0;
  }
  return pyk::ok;
}
