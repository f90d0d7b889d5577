// asked_apart.py:7  def split(s, p, n): …    float64(float64[::1], float64, int64)
double split(pyk::array<const double, 1, pyk::C> s, double p, int64_t n) noexcept {
  double kept = 0.0;
  double lost = 0.0;
  for (int64_t i = 0; i < s.size(); i += 32) {
    const int32_t count = pyk::min(32, s.size() - i);
    pyk::lane<double, 32> value;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      value[k] = 0.0;
    #pragma omp simd
    for (int32_t k = 0; k < count; ++k)
      value[k] = pyk::lanes::pow(s(i + k), p);
    pyk::lane<pyk::mask<int64_t>, 32> taken, other;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k) {
      const bool taken_2 = (k < count) & !pyk::np::isnan(value[k]);
      const bool holds = i + k < n;
      taken.at[k] = taken_2 & holds;
      other.at[k] = taken_2 & !holds;
    }
    for (int32_t k = 0; k < 32; ++k) {
      if (taken[k]) kept += value[k];
      if (other[k]) lost += value[k];
    }
  }
  return kept - lost;
}
