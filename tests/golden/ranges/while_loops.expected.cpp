// while_loops.py:6  def lower_bound(a, x): …    int64(float64[::1], float64)
int64_t lower_bound(pyk::array<const double, 1, pyk::C> a, double x) noexcept {
  int64_t lo = 0;
  int64_t hi = a.shape(0);
  while (lo < hi) {
    const int64_t mid = (lo + hi) / 2;
    if (a(mid) < x) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

// while_loops.py:19  def window_sum(a, w): …    float64(float64[::1], int64)
double window_sum(pyk::array<const double, 1, pyk::C> a, int64_t w) noexcept {
  double best = 0.0;
  if (pyk::add(pyk::sub(a.shape(0), w), 1) >= 8) {
    for (int64_t i = 0; i < pyk::add(pyk::sub(a.shape(0), w), 1); i += 32) {
      pyk::lanes::gang<32>(pyk::add(pyk::sub(a.shape(0), w), 1) -
          i, [&](const auto count) PYK_INLINED {
        pyk::lane<double, 32> s;
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k)
          s[k] = 0.0;
        for (int64_t j = 0; j < w; ++j) {
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k)
            s[k] = s[k] + a(i + k + j);
        }
        for (int32_t k = 0; k < count; ++k)
          best = pyk::max(best, s[k]);
      });
    }
  } else {
    for (int64_t i = 0; i < pyk::add(pyk::sub(a.shape(0), w), 1); ++i) {
      double s = 0.0;
      for (int64_t j = 0; j < w; ++j)
        s += a(i + j);
      best = pyk::max(best, s);
    }
  }
  return best;
}

// while_loops.py:30  def not_kept(a, step): …    int64(float64[::1], int64)
int64_t not_kept(pyk::array<const double, 1, pyk::C> a, int64_t step) noexcept {
  int64_t i = 0;
  while (a(pyk::wrap(i, a.shape(0))) > 0.0)
    i = pyk::add(i, step);
  return i;
}
