// lift.py:8  def repulsion(points, fixed, out): …
//     void(float64[:,::1], float64[:,::1], float64[::1])
void repulsion(pyk::array<const double, 2, pyk::C> points,
               pyk::array<const double, 2, pyk::C> fixed,
               pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart =
      pyk::lanes::disjoint(out, points, fixed) && 0 < points.shape(1) && 1 < points.shape(1);
  if (apart && points.shape(0) >= 10) {
    for (int64_t i = 0; i < points.shape(0); i += 32) {
      const int32_t count = pyk::min(32, points.shape(0) - i);
      pyk::lane<double, 32> kept, kept_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        kept[k] = 0.0;
        kept_2[k] = 0.0;
      }
      const bool same = 0 < points.shape(1);
      const bool same_2 = 1 < points.shape(1);
      pyk::lane<double, 32> total;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        total[k] = 0.0;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        kept[k] = same ? points(i + k, 0) : 0.0;
        kept_2[k] = same_2 ? points(i + k, 1) : 0.0;
      }
      for (int64_t j = 0; j < fixed.shape(0); ++j) {
        const double same_3 = fixed(j, 0);
        const double same_4 = fixed(j, 1);
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k) {
          const double dx = kept[k] - same_3;
          const double dy = kept_2[k] - same_4;
          total[k] = total[k] + pyk::lanes::exp(-dx * dx - dy * dy);
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = total[k];
    }
  } else {
    for (int64_t i = 0; i < points.shape(0); ++i) {
      double total = 0.0;
      for (int64_t j = 0; j < fixed.shape(0); ++j) {
        const double dx = points(i, 0) - fixed(j, 0);
        const double dy = points(i, 1) - fixed(j, 1);
        total += pyk::math::exp(-dx * dx - dy * dy);
      }
      out(i) = total;
    }
  }
}
