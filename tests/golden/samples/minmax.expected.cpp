// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  pyk::tuple<double, double> min_max(pyk::array<const double, 1, pyk::A> values) noexcept;
  pyk::tuple<double, double> min_max_c(pyk::array<const double, 1, pyk::C> values) noexcept;
  pyk::status rescale(pyk::array<const double, 1, pyk::A> values,
                      pyk::array<double, 1, pyk::A> out) noexcept;
  pyk::status rescale_c(pyk::array<const double, 1, pyk::C> values,
                        pyk::array<double, 1, pyk::C> out) noexcept;
)

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[:])
pyk::tuple<double, double> min_max(pyk::array<const double, 1, pyk::A> values) noexcept {
  return PYK_BODY(min_max)(values);
}

// minmax.py:6  def min_max(values): …        UniTuple(float64, 2)(float64[::1])
pyk::tuple<double, double> min_max_c(pyk::array<const double, 1, pyk::C> values) noexcept {
  return PYK_BODY(min_max_c)(values);
}

// minmax.py:18  def rescale(values, out): …    void(float64[:], float64[:])
pyk::status rescale(pyk::array<const double, 1, pyk::A> values,
                    pyk::array<double, 1, pyk::A> out) noexcept {
  return PYK_BODY(rescale)(values, out);
}

// minmax.py:18  def rescale(values, out): …    void(float64[::1], float64[::1])
pyk::status rescale_c(pyk::array<const double, 1, pyk::C> values,
                      pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(rescale_c)(values, out);
}
