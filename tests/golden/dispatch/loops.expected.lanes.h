namespace PYK_ISA {

// loops.py:6  def cube(x): …                 float64(float64)
PYK_INLINE double cube(double x) noexcept {
  return x * x * x;
}

// loops.py:11  def cubes(x, out): …          void(float64[:], float64[:])
template <class L>
void cubes(pyk::array<const double, 1, L> x, pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    out(i) = cube(x(i));
}
PYK_LAYOUTS(cubes);

// loops.py:17  def gcd(a, b): …              int64(int64, int64)
static inline int64_t gcd(int64_t a, int64_t b) noexcept {
  while (b != 0) {
    const int64_t old = pyk::mod(a, b);
    a = b;
    b = old;
  }
  return a;
}

// loops.py:24  def calls_a_loop(x, out): …    void(float64[::1], float64[::1])
void calls_a_loop(pyk::array<const double, 1, pyk::C> x,
                  pyk::array<double, 1, pyk::C> out) noexcept {
  if (gcd(x.shape(0), 6) > 1) cubes<pyk::C>(x, out);
}

// loops.py:38  def scale(a, factor): …       void(float64[:,:], float64)
template <class L>
void scale(pyk::array<double, 2, L> a, double factor) noexcept {
  #pragma omp parallel for firstprivate(a) if (double(a.shape(0)) * a.shape(1) > 10000.0)
  for (int64_t i = 0; i < a.shape(0); ++i)
    for (int64_t j = 0; j < a.shape(1); ++j)
      a(i, j) *= factor;
}
PYK_LAYOUTS(scale);

// loops.py:45  def larger(x, y): …           float64(float64, float64)
PYK_INLINE double larger(double x, double y) noexcept {
  return x > y ? x : y;
}

// loop of loops.py:45  def larger(x, y): …
template <class L>
void larger_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                 pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = larger(x(i), y(i));
}
PYK_LAYOUTS(larger_loop);

// loop of loops.py:45  def larger(x, y): …
void larger_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                     pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = larger(x(i), y);
}

// loop of loops.py:45  def larger(x, y): …
void larger_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                     pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = larger(x, y(i));
}

}  // namespace PYK_ISA
