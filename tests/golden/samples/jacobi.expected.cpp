// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  double jacobi(pyk::array<const double, 2, pyk::A> a, pyk::array<double, 2, pyk::A> b) noexcept;
  double jacobi_c(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 2, pyk::C> b) noexcept;
  double jacobi_parallel(pyk::array<const double, 2, pyk::A> a,
                         pyk::array<double, 2, pyk::A> b) noexcept;
  double jacobi_parallel_c(pyk::array<const double, 2, pyk::C> a,
                           pyk::array<double, 2, pyk::C> b) noexcept;
)

// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,:], float64[:,:])
double jacobi(pyk::array<const double, 2, pyk::A> a, pyk::array<double, 2, pyk::A> b) noexcept {
  return PYK_BODY(jacobi)(a, b);
}

// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,::1], float64[:,::1])
double jacobi_c(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 2, pyk::C> b) noexcept {
  return PYK_BODY(jacobi_c)(a, b);
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,:], float64[:,:])
double jacobi_parallel(pyk::array<const double, 2, pyk::A> a,
                       pyk::array<double, 2, pyk::A> b) noexcept {
  return PYK_BODY(jacobi_parallel)(a, b);
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,::1], float64[:,::1])
double jacobi_parallel_c(pyk::array<const double, 2, pyk::C> a,
                         pyk::array<double, 2, pyk::C> b) noexcept {
  return PYK_BODY(jacobi_parallel_c)(a, b);
}
