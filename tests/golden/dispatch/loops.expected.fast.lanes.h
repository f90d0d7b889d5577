namespace PYK_ISA {

// loops.py:30  def total(x): …               float64(float64[::1])
double total(pyk::array<const double, 1, pyk::C> x) noexcept {
  double s = 0.0;
  for (int64_t i = 0; i < x.shape(0); ++i)
    s += x(i);
  return s;
}

}  // namespace PYK_ISA
