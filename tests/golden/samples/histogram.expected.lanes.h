namespace PYK_ISA {

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[:], float64, float64, int64)
pyk::status histogram(pyk::array<const double, 1, pyk::A> values, double low, double high,
                      int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  if (bins < 0) return pyk::raise(site::value_8);
  auto counts = pyk::zeros<int64_t, pyk::C>(bins);
  if (!counts.is_valid()) return pyk::no_memory;
  if (bins == 0) return pyk::raise(site::division_9);
  const double width = (high - low) / bins;
  for (const double value : values) {
    if (low <= value && value < high) {
      if (width == 0.0) return pyk::raise(site::division_12);
      const int64_t bin = pyk::min(pyk::convert<int64_t>((value - low) / width), bins - 1);
      pyk::add_to(counts(pyk::wrap(bin, counts.shape(0))), 1);
    }
  }
  result = std::move(counts);
  return pyk::ok;
}

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[::1], float64, float64, int64)
pyk::status histogram_c(pyk::array<const double, 1, pyk::C> values, double low, double high,
                        int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  if (bins < 0) return pyk::raise(site::value_8);
  auto counts = pyk::zeros<int64_t, pyk::C>(bins);
  if (!counts.is_valid()) return pyk::no_memory;
  if (bins == 0) return pyk::raise(site::division_9);
  const double width = (high - low) / bins;
  int64_t first = 0;
  int64_t busy = 0;
  while (first < values.shape(0)) {
    const int64_t last = pyk::min(first + (busy < 4 ? 32 : 256), values.shape(0));
    int64_t found = last - first != 32;
    if (found == 0) {
      #pragma omp simd reduction(| : found)
      for (int64_t value_at = first; value_at < first + 32; ++value_at) {
        const double value = values(value_at);
        found |= (low <= value) & (value < high) ? -1 : 0;
      }
    }
    if (found != 0) {
      for (int64_t value_at = first; value_at < last; ++value_at) {
        const double value = values(value_at);
        if (low <= value && value < high) {
          if (width == 0.0) return pyk::raise(site::division_12);
          const int64_t bin = pyk::min(pyk::convert<int64_t>((value - low) / width), bins - 1);
          pyk::add_to(counts(pyk::wrap(bin, counts.shape(0))), 1);
        }
      }
      busy = busy < 4 ? busy + 1 : 3;
    } else {
      busy = 0;
    }
    first = last;
  }
  result = std::move(counts);
  return pyk::ok;
}

}  // namespace PYK_ISA
