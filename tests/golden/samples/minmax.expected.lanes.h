namespace PYK_ISA {

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[:])
template <class L>
pyk::tuple<double, double> min_max(pyk::array<const double, 1, L> values) noexcept {
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
PYK_LAYOUTS(min_max);

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
template <class L>
pyk::status rescale(pyk::array<const double, 1, L> values, pyk::array<double, 1, L> out) noexcept {
  if (values.shape(0) == 0) return pyk::raise(site::value_21);
  const auto [low, high] = min_max<L>(values);
  for (int64_t i = 0; i < values.shape(0); ++i) {
    const double value = values(i);
    double t;
    if (high > low) {
      t = (value - low) / (high - low);
    } else {
      t = 0.0;
    }
    out(i) = t;
  }
  return pyk::ok;
}
PYK_LAYOUTS(rescale);

}  // namespace PYK_ISA
