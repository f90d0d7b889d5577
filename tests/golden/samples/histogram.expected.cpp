// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[:], float64, float64, int64)
pyk::status histogram(pyk::array<const double, 1, pyk::A> values, double low, double high,
    int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  if (bins < 0) return pyk::raise(1);
  auto counts = pyk::zeros<int64_t, pyk::C>(bins);
  if (!counts.is_valid()) return pyk::no_memory;
  if (bins == 0) return pyk::raise(2);
  const double width = (high - low) / bins;
  for (int64_t value_at = 0; value_at < values.shape(0); ++value_at) {
    const double value = values(value_at);
    if (low <= value && value < high) {
      if (width == 0.0) return pyk::raise(3);
      const int64_t bin = pyk::min(pyk::convert<int64_t>((value - low) / width), bins - 1);
      pyk::add_to(counts(pyk::wrap(bin, counts.shape(0))), 1);
    }
  }
  result = counts;
  return pyk::ok;
}

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[::1], float64, float64, int64)
pyk::status histogram__c(pyk::array<const double, 1, pyk::C> values, double low, double high,
    int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  if (bins < 0) return pyk::raise(1);
  auto counts = pyk::zeros<int64_t, pyk::C>(bins);
  if (!counts.is_valid()) return pyk::no_memory;
  if (bins == 0) return pyk::raise(2);
  const double width = (high - low) / bins;
  for (int64_t value_at = 0; value_at < values.shape(0); ++value_at) {
    const double value = values(value_at);
    if (low <= value && value < high) {
      if (width == 0.0) return pyk::raise(3);
      const int64_t bin = pyk::min(pyk::convert<int64_t>((value - low) / width), bins - 1);
      pyk::add_to(counts(pyk::wrap(bin, counts.shape(0))), 1);
    }
  }
  result = counts;
  return pyk::ok;
}
