namespace PYK_ISA {

// loops.py:30  def total(x): …               float64(float64[::1])
double total(pyk::array<const double, 1, pyk::C> x) noexcept {
  double s = 0.0;
  const bool apart = x.shape(0) >= 192;
  if (apart) {
    const int64_t i_rest = x.shape(0) - x.shape(0) % 32;
    pyk::lane<double, 32> s_2;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      s_2[k] = 0.0;
    for (int64_t i = 0; i < i_rest; i += 32) {
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        s_2[k] = s_2[k] + x(i + k);
    }
    for (int32_t k = 0; k < 32; ++k)
      s = s + s_2[k];
    for (int64_t i = i_rest; i < x.shape(0); ++i)
      s += x(i);
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i)
      s += x(i);
  }
  return s;
}

}  // namespace PYK_ISA
