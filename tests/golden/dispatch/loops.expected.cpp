// loops.py:6  def cube(x): …                 float64(float64)
PYK_INLINE_ROOT double cube(double x) noexcept {
  return x * x * x;
}

// loops.py:17  def gcd(a, b): …              int64(int64, int64)
int64_t gcd(int64_t a, int64_t b) noexcept {
  while (b != 0) {
    const int64_t old = pyk::mod(a, b);
    a = b;
    b = old;
  }
  return a;
}

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  void cubes(pyk::array<const double, 1, L> x, pyk::array<double, 1, L> out) noexcept;
  void calls_a_loop(pyk::array<const double, 1, pyk::C> x,
                    pyk::array<double, 1, pyk::C> out) noexcept;
  template <class L>
  void scale(pyk::array<double, 2, L> a, double factor) noexcept;
  template <class L>
  void larger_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                   pyk::array<double, 1, L> out) noexcept;
  void larger_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                       pyk::array<double, 1, pyk::C> out) noexcept;
  void larger_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                       pyk::array<double, 1, pyk::C> out) noexcept;
)

// loops.py:11  def cubes(x, out): …          void(float64[:], float64[:])
template <class L>
void cubes(pyk::array<const double, 1, L> x, pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(cubes<L>)(x, out);
}
PYK_LAYOUTS(cubes);

// loops.py:24  def calls_a_loop(x, out): …    void(float64[::1], float64[::1])
void calls_a_loop(pyk::array<const double, 1, pyk::C> x,
                  pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(calls_a_loop)(x, out);
}

// loops.py:38  def scale(a, factor): …       void(float64[:,:], float64)
template <class L>
void scale(pyk::array<double, 2, L> a, double factor) noexcept {
  return PYK_BODY(scale<L>)(a, factor);
}
PYK_LAYOUTS(scale);

// loop of loops.py:45  def larger(x, y): …
template <class L>
void larger_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                 pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(larger_loop<L>)(x, y, out);
}
PYK_LAYOUTS(larger_loop);

// loop of loops.py:45  def larger(x, y): …
void larger_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                     pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(larger_loop_c_y)(x, y, out);
}

// loop of loops.py:45  def larger(x, y): …
void larger_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                     pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(larger_loop_c_x)(x, y, out);
}
