// sum2d.py:6  def sum2d(a): …                float64(float64[:,:])
template <class L>
double sum2d(pyk::array<const double, 2, L> a) noexcept {
  const auto [m, n] = a.shape();
  double total = 0.0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      total += a(i, j);
  return total;
}
PYK_LAYOUTS(sum2d);

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  double sum2d_parallel(pyk::array<const double, 2, L> a) noexcept;
)

// sum2d.py:16  def sum2d_parallel(a): …      float64(float64[:,:])
template <class L>
double sum2d_parallel(pyk::array<const double, 2, L> a) noexcept {
  return PYK_BODY(sum2d_parallel<L>)(a);
}
PYK_LAYOUTS(sum2d_parallel);
