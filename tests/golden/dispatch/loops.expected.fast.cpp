// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  double total(pyk::array<const double, 1, pyk::C> x) noexcept;
)

// loops.py:30  def total(x): …               float64(float64[::1])
double total(pyk::array<const double, 1, pyk::C> x) noexcept {
  return PYK_BODY(total)(x);
}
