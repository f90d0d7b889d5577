// draws.py:8  def inside(n): …               int64(int64)
int64_t inside(int64_t n) noexcept {
  int64_t count = 0;
  const bool apart = pyk::lanes::unseeded();
  if (apart) {
    #pragma omp parallel for reduction(+ : count) if (n > 800)
    for (int64_t i = 0; i < n; i += 32) {
      const int32_t count_2 = pyk::min(32, n - i);
      pyk::lane<double, 32> drawn;
      pyk::random::random(drawn);
      pyk::lane<double, 32> x;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        x[k] = drawn[k];
      pyk::lane<double, 32> drawn_2;
      pyk::random::random(drawn_2);
      pyk::lane<pyk::mask<int64_t>, 32> taken;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        const double random = drawn_2[k];
        taken.at[k] = (k < count_2) & (x[k] * x[k] + random * random < 1.0);
      }
      #pragma omp simd reduction(+ : count)
      for (int32_t k = 0; k < 32; ++k)
        if (taken[k]) count += 1;
    }
  } else {
    #pragma omp parallel for reduction(+ : count) if (n > 800)
    for (int64_t i = 0; i < n; ++i) {
      const double x = pyk::random::random();
      const double random = pyk::random::random();
      if (x * x + random * random < 1.0) count += 1;
    }
  }
  return count;
}
