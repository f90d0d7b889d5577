// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  pyk::tuple<double, double> min_max(pyk::array<const double, 1, L> values) noexcept;
  template <class L>
  pyk::status rescale(pyk::array<const double, 1, L> values, pyk::array<double, 1, L> out) noexcept;
)

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[:])
template <class L>
pyk::tuple<double, double> min_max(pyk::array<const double, 1, L> values) noexcept {
  return PYK_BODY(min_max<L>)(values);
}
PYK_LAYOUTS(min_max);

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
template <class L>
pyk::status rescale(pyk::array<const double, 1, L> values, pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(rescale<L>)(values, out);
}
PYK_LAYOUTS(rescale);
