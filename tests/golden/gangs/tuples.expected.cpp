// tuples.py:8  def halved(x, y): …           Tuple((float64, int64))(float64, float64)
pyk::tuple<double, int64_t> halved(double x, double y) noexcept {
  int64_t steps = 0;
  while (x + y > 1.0) {
    const double old = pyk::math::sqrt(x * 0.75);
    x = y * 0.5;
    y = old;
    steps += 1;
    if (steps > 50) return pyk::tuple<double, int64_t>(x, -1);
  }
  return pyk::tuple{x + y, steps};
}

// tuples.py:18  def apply(x, out, steps): …    void(float64[::1], float64[::1], int64[::1])
void apply(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out,
           pyk::array<int64_t, 1, pyk::C> steps) noexcept {
  const bool apart = pyk::lanes::disjoint(out, steps, x) && pyk::lanes::disjoint(steps, x);
  if (apart && x.shape(0) >= 11) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> x_2, halved_2;
      pyk::lane<int64_t, 16> halved_3;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        x_2[k] = 0.0;
        halved_2[k] = 0.0;
        halved_3[k] = 0;
      }
      pyk::lane<double, 16> y;
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        y[k] = 2.0;
        alive.at[k] = k < count;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        x_2[k] = x(i + k);
      pyk::lane<int64_t, 16> steps_2;
      pyk::lane<pyk::mask<int64_t>, 16> alive_2;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        steps_2[k] = 0;
        alive_2.at[k] = alive[k];
      }
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive_2.at[k] = alive_2[k] & (x_2[k] + y[k] > 1.0);
        if (!pyk::any(alive_2)) break;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const double old = pyk::math::sqrt(x_2[k] * 0.75);
          x_2[k] = pyk::lanes::choose(alive_2[k], y[k] * 0.5, x_2[k]);
          y[k] = pyk::lanes::choose(alive_2[k], old, y[k]);
          steps_2[k] = pyk::lanes::choose(alive_2[k], pyk::add(steps_2[k], 1), steps_2[k]);
          const bool taken = alive_2[k] & (steps_2[k] > 50);
          halved_2[k] = pyk::lanes::choose(taken, x_2[k], halved_2[k]);
          halved_3[k] = pyk::lanes::choose(taken, -1, halved_3[k]);
          alive_2.at[k] = alive_2[k] & !taken;
          alive.at[k] = alive[k] & !taken;
        }
        if (!pyk::any(alive_2)) break;
      }
      pyk::lane<double, 16> best_2;
      pyk::lane<int64_t, 16> best_3;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        halved_2[k] = pyk::lanes::choose(alive[k], x_2[k] + y[k], halved_2[k]);
        halved_3[k] = pyk::lanes::choose(alive[k], steps_2[k], halved_3[k]);
        const double pair_2 = halved_2[k];
        const int64_t pair_3 = halved_3[k];
        best_2[k] = pair_2;
        best_3[k] = pair_3;
        const bool taken = best_2[k] > 0.5;
        best_2[k] = pyk::lanes::choose(taken, pair_2 - 0.5, best_2[k]);
        best_3[k] = taken ? pyk::add(pair_3, 1) : best_3[k];
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        out(i + k) = best_2[k];
        steps(i + k) = best_3[k];
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      const auto pair = halved(x(i), 2.0);
      pyk::tuple<double, int64_t> best = pair;
      if (pyk::get<0>(best) > 0.5)
        best = pyk::tuple{pyk::get<0>(pair) - 0.5, pyk::add(pyk::get<1>(pair), 1)};
      out(i) = pyk::get<0>(best);
      steps(i) = pyk::get<1>(best);
    }
  }
}

// tuples.py:28  def swapped(x, out): …       void(float64[::1], float64[::1])
void swapped(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart && x.shape(0) >= 8) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> t_2;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        t_2[k] = 0.0;
      pyk::lane<double, 16> t_3;
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        t_3[k] = 1.0;
        alive.at[k] = k < count;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        t_2[k] = x(i + k);
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & (t_2[k] < 10.0);
        if (!pyk::any(alive)) break;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const double item = t_3[k];
          const double item_2 = t_2[k] + t_3[k];
          t_2[k] = pyk::lanes::choose(alive[k], item, t_2[k]);
          t_3[k] = pyk::lanes::choose(alive[k], item_2, t_3[k]);
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = t_2[k] - t_3[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      pyk::tuple<double, double> t = pyk::tuple{x(i), 1.0};
      while (pyk::get<0>(t) < 10.0)
        t = pyk::tuple{pyk::get<1>(t), pyk::get<0>(t) + pyk::get<1>(t)};
      out(i) = pyk::get<0>(t) - pyk::get<1>(t);
    }
  }
}
