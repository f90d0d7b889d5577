// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  void matmul_ijk(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                  pyk::array<double, 2, pyk::A> c) noexcept;
  void matmul_ijk_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                    pyk::array<double, 2, pyk::C> c) noexcept;
  void matmul_ikj(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                  pyk::array<double, 2, pyk::A> c) noexcept;
  void matmul_ikj_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                    pyk::array<double, 2, pyk::C> c) noexcept;
  void matmul_parallel(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                       pyk::array<double, 2, pyk::A> c) noexcept;
  void matmul_parallel_c(pyk::array<const double, 2, pyk::C> a,
                         pyk::array<const double, 2, pyk::C> b,
                         pyk::array<double, 2, pyk::C> c) noexcept;
)

// matmul.py:6  def matmul_ijk(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_ijk(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                pyk::array<double, 2, pyk::A> c) noexcept {
  return PYK_BODY(matmul_ijk)(a, b, c);
}

// matmul.py:6  def matmul_ijk(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_ijk_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                  pyk::array<double, 2, pyk::C> c) noexcept {
  return PYK_BODY(matmul_ijk_c)(a, b, c);
}

// matmul.py:17  def matmul_ikj(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_ikj(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                pyk::array<double, 2, pyk::A> c) noexcept {
  return PYK_BODY(matmul_ikj)(a, b, c);
}

// matmul.py:17  def matmul_ikj(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_ikj_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                  pyk::array<double, 2, pyk::C> c) noexcept {
  return PYK_BODY(matmul_ikj_c)(a, b, c);
}

// matmul.py:29  def matmul_parallel(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
void matmul_parallel(pyk::array<const double, 2, pyk::A> a, pyk::array<const double, 2, pyk::A> b,
                     pyk::array<double, 2, pyk::A> c) noexcept {
  return PYK_BODY(matmul_parallel)(a, b, c);
}

// matmul.py:29  def matmul_parallel(a, b, c): …
//     void(float64[:,::1], float64[:,::1], float64[:,::1])
void matmul_parallel_c(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
                       pyk::array<double, 2, pyk::C> c) noexcept {
  return PYK_BODY(matmul_parallel_c)(a, b, c);
}
