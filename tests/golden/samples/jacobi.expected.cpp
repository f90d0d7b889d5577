// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  double jacobi(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept;
  template <class L>
  double jacobi_parallel(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept;
)

// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,:], float64[:,:])
template <class L>
double jacobi(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept {
  return PYK_BODY(jacobi<L>)(a, b);
}
PYK_LAYOUTS(jacobi);

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,:], float64[:,:])
template <class L>
double jacobi_parallel(pyk::array<const double, 2, L> a, pyk::array<double, 2, L> b) noexcept {
  return PYK_BODY(jacobi_parallel<L>)(a, b);
}
PYK_LAYOUTS(jacobi_parallel);
