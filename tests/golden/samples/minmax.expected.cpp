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

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  pyk::status rescale(pyk::array<const double, 1, L> values, pyk::array<double, 1, L> out) noexcept;
)

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
template <class L>
pyk::status rescale(pyk::array<const double, 1, L> values, pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(rescale<L>)(values, out);
}
PYK_LAYOUTS(rescale);
