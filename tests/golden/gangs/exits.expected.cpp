// exits.py:6  def root(x, guess): …          float64(float64, float64)
pyk::status root(double x, double guess, double& result) noexcept {
  for (int64_t step = 0; step < 50; ++step) {
    if (guess == 0.0) return pyk::raise(site::division_8);
    const double better = 0.5 * (guess + x / guess);
    if (pyk::abs(better - guess) < 1e-12) {
      result = better;
      return pyk::ok;
    }
    guess = better;
  }
  result = guess;
  return pyk::ok;
}

// exits.py:16  def roots(x, out): …          void(float64[::1], float64[::1])
pyk::status roots(pyk::array<const double, 1, pyk::C> x,
                  pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> x_2, root_2;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        x_2[k] = 0.0;
        root_2[k] = 0.0;
      }
      pyk::lane<pyk::mask<int64_t>, 16> failed, alive, alive_2;
      pyk::lane<double, 16> guess;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        failed.at[k] = false;
        alive.at[k] = k < count;
        guess[k] = 1.0;
        alive_2.at[k] = alive[k];
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        x_2[k] = x(i + k);
      for (int64_t step = 0; step < 50; ++step) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          const bool taken = alive_2[k] & (guess[k] == 0.0);
          failed.at[k] = failed[k] | taken;
          alive_2.at[k] = alive_2[k] & !taken;
          alive.at[k] = alive[k] & !taken;
          const double better = 0.5 * (guess[k] + x_2[k] / guess[k]);
          const bool taken_2 = alive_2[k] & (pyk::abs(better - guess[k]) < 1e-12);
          root_2[k] = pyk::lanes::choose(taken_2, better, root_2[k]);
          alive_2.at[k] = alive_2[k] & !taken_2;
          guess[k] = pyk::lanes::choose(alive_2[k], better, guess[k]);
        }
        if (!pyk::any(alive_2)) break;
      }
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        root_2[k] = pyk::lanes::choose(alive_2[k], guess[k], root_2[k]);
      if (pyk::any(failed)) {
        for (int64_t i_2 = i; i_2 < i + count; ++i_2) {
          double value;
          if (const auto status = root(x(i_2), 1.0, value)) return status;
          out(i_2) = value;
        }
      } else {
        pyk::lane<double, 16> value;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          value[k] = root_2[k];
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = value[k];
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double value;
      if (const auto status = root(x(i), 1.0, value)) return status;
      out(i) = value;
    }
  }
  return pyk::ok;
}

// exits.py:22  def steps(x, out, limit, most): …    void(float32[::1], int32[::1], float32, int64)
void steps(pyk::array<const float, 1, pyk::C> x, pyk::array<int32_t, 1, pyk::C> out, float limit,
           int64_t most) noexcept {
  if (x.shape(0) >= 16) {
    #pragma omp parallel for schedule(dynamic, pyk::small_portion(x.shape(0) / 64)) firstprivate(x, \
        out)
    for (int64_t i = 0; i < x.shape(0); i += 64) {
      const int32_t count_2 = pyk::min(64, x.shape(0) - i);
      pyk::lane<float, 64> value, kept;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        value[k] = 0.0f;
        kept[k] = 0.0f;
      }
      pyk::lane<int64_t, 64> count;
      pyk::lane<pyk::mask<int32_t>, 64> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        count[k] = 0;
        alive.at[k] = k < count_2;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count_2; ++k) {
        value[k] = x(i + k);
        kept[k] = x(i + k);
      }
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          alive.at[k] = alive[k] & ((value[k] < limit) & (count[k] < most));
        if (!pyk::any(alive)) break;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k) {
          value[k] = value[k] * value[k] + kept[k];
          count[k] = pyk::lanes::choose(alive[k], pyk::add(count[k], 1), count[k]);
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count_2; ++k)
        out(i + k) = count[k];
    }
  } else {
    #pragma omp parallel for schedule(dynamic, pyk::portion(x.shape(0))) firstprivate(x, out)
    for (int64_t i = 0; i < x.shape(0); ++i) {
      float value = x(i);
      int64_t count = 0;
      while (value < limit && count < most) {
        value = value * value + x(i);
        count += 1;
      }
      out(i) = count;
    }
  }
}

// exits.py:33  def sums(x, n): …             float64(float64[::1], int64)
pyk::status sums(pyk::array<const double, 1, pyk::C> x, int64_t n, double& result) noexcept {
  double total = 0.0;
  if (x.shape(0) >= 8) {
    for (int64_t i = 0; i < x.shape(0); i += 16) {
      const int32_t count = pyk::min(16, x.shape(0) - i);
      pyk::lane<double, 16> kept;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        kept[k] = 0.0;
      pyk::lane<pyk::mask<int64_t>, 16> failed, alive;
      pyk::lane<double, 16> part;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        failed.at[k] = false;
        alive.at[k] = k < count;
        part[k] = 0.0;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        kept[k] = x(i + k);
      for (int64_t j = 0; j < n; ++j) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          bool taken = alive[k] & !(kept[k] * j < 1.0);
          const double divisor = j + kept[k] * kept[k] + 1.0;
          const bool taken_2 = taken & (divisor == 0.0);
          failed.at[k] = failed[k] | taken_2;
          taken = taken & !taken_2;
          alive.at[k] = alive[k] & !taken_2;
          part[k] = pyk::lanes::choose(taken, part[k] + 1.0 / divisor, part[k]);
        }
        if (!pyk::any(alive)) break;
      }
      if (pyk::any(failed)) {
        for (int64_t i_2 = i; i_2 < i + count; ++i_2) {
          double part_2 = 0.0;
          for (int64_t j = 0; j < n; ++j) {
            if (!(x(i_2) * j < 1.0)) {
              const double divisor = j + x(i_2) * x(i_2) + 1.0;
              if (divisor == 0.0) return pyk::raise(site::division_40);
              part_2 += 1.0 / divisor;
            }
          }
          total += part_2;
        }
      } else {
        for (int32_t k = 0; k < count; ++k)
          total += part[k];
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double part = 0.0;
      for (int64_t j = 0; j < n; ++j) {
        if (!(x(i) * j < 1.0)) {
          const double divisor = j + x(i) * x(i) + 1.0;
          if (divisor == 0.0) return pyk::raise(site::division_40);
          part += 1.0 / divisor;
        }
      }
      total += part;
    }
  }
  result = total;
  return pyk::ok;
}
