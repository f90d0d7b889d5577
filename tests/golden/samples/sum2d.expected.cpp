// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  double sum2d(pyk::array<const double, 2, L> a) noexcept;
  template <class L>
  double sum2d_parallel(pyk::array<const double, 2, L> a) noexcept;
)

// sum2d.py:6  def sum2d(a): …                float64(float64[:,:])
template <class L>
double sum2d(pyk::array<const double, 2, L> a) noexcept {
  return PYK_BODY(sum2d<L>)(a);
}
PYK_LAYOUTS(sum2d);

// sum2d.py:16  def sum2d_parallel(a): …      float64(float64[:,:])
template <class L>
double sum2d_parallel(pyk::array<const double, 2, L> a) noexcept {
  return PYK_BODY(sum2d_parallel<L>)(a);
}
PYK_LAYOUTS(sum2d_parallel);
