namespace PYK_ISA {

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[:])
pyk::tuple<double, double> min_max(pyk::array<const double, 1, pyk::A> values) noexcept {
  double low = values(0);
  double high = values(0);
  for (const double value : values) {
    if (value < low) {
      low = value;
    } else if (value > high) {
      high = value;
    }
  }
  return pyk::tuple{low, high};
}

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[::1])
pyk::tuple<double, double> min_max_c(pyk::array<const double, 1, pyk::C> values) noexcept {
  double low = values(0);
  double high = values(0);
  int64_t first = 0;
  int64_t busy = 0;
  while (first < values.shape(0)) {
    const int64_t last = pyk::min(first + (busy < 4 ? 32 : 256), values.shape(0));
    int64_t found = last - first != 32;
    if (found == 0) {
      #pragma omp simd reduction(| : found)
      for (int64_t value_at = first; value_at < first + 32; ++value_at) {
        const double value = values(value_at);
        found |= (value < low) | (value > high) ? -1 : 0;
      }
    }
    if (found != 0) {
      for (int64_t value_at = first; value_at < last; ++value_at) {
        const double value = values(value_at);
        if (value < low) {
          low = value;
        } else if (value > high) {
          high = value;
        }
      }
      busy = busy < 4 ? busy + 1 : 3;
    } else {
      busy = 0;
    }
    first = last;
  }
  return pyk::tuple{low, high};
}

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
pyk::status rescale(pyk::array<const double, 1, pyk::A> values,
                    pyk::array<double, 1, pyk::A> out) noexcept {
  if (values.shape(0) == 0) return pyk::raise(site::value_21);
  const auto [low, high] = min_max(values);
  if (high > low) {
    for (int64_t i = 0; i < values.shape(0); ++i) {
      const double value = values(i);
      out(i) = (value - low) / (high - low);
    }
  } else {
    for (int64_t i = 0; i < values.shape(0); ++i)
      out(i) = 0.0;
  }
  return pyk::ok;
}

// minmax.py:18  def rescale(values, out): …    void(float64[::1], float64[::1])
pyk::status rescale_c(pyk::array<const double, 1, pyk::C> values,
                      pyk::array<double, 1, pyk::C> out) noexcept {
  if (values.shape(0) == 0) return pyk::raise(site::value_21);
  const auto [low, high] = min_max_c(values);
  if (high > low) {
    for (int64_t i = 0; i < values.shape(0); ++i) {
      const double value = values(i);
      out(i) = (value - low) / (high - low);
    }
  } else {
    for (int64_t i = 0; i < values.shape(0); ++i)
      out(i) = 0.0;
  }
  return pyk::ok;
}

}  // namespace PYK_ISA
