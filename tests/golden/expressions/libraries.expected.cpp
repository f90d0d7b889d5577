// libraries.py:10  def of_cmath(z): …        complex128(complex128)
pyk::complex<double> of_cmath(pyk::complex<double> z) noexcept {
  return pyk::cmath::sqrt(z);
}

// libraries.py:15  def of_sums(a): …         float64(float64[:])
template <class L>
double of_sums(pyk::array<const double, 1, L> a) noexcept {
  return pyk::math::fsum(a);
}
PYK_LAYOUTS(of_sums);

// libraries.py:21  def copies(a, b): …       void(float64[:], float64[:])
template <class L>
pyk::status copies(pyk::array<double, 1, L> a, pyk::array<const double, 1, L> b) noexcept {
  const int32_t copied = pyk::copy(a, b);
  if (copied == 1) return pyk::raise(site::value_22);
  if (copied == 2) return pyk::raise(site::memory_22);
  return pyk::ok;
}
PYK_LAYOUTS(copies);
