// whole_powers.py:6  def polynomial(x, c, out): …    void(float64[::1], float64[::1], float64[::1])
void polynomial(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> c,
                pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, c);
  if (apart && x.shape(0) >= 9) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      pyk::lane<double, 32> kept;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2)
        kept[k_2] = 0.0;
      pyk::lane<double, 32> s;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2)
        s[k_2] = 0.0;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        kept[k_2] = x(i + k_2);
      for (int64_t k = 0; k < c.shape(0); ++k) {
        const double same = c(k);
        pyk::lane<double, 32> power;
        pyk::lanes::powers(kept, k, power);
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          s[k_2] = s[k_2] + same * power[k_2];
      }
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        out(i + k_2) = s[k_2];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double s = 0.0;
      for (int64_t k = 0; k < c.shape(0); ++k)
        s = pyk::in_order(s + c(k) * pyk::pow(x(i), k));
      out(i) = s;
    }
  }
}

// whole_powers.py:15  def exponents(x, n, out): …    void(float64[::1], uint8[::1], float64[::1])
void exponents(pyk::array<const double, 1, pyk::C> x, pyk::array<const uint8_t, 1, pyk::C> n,
               pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, n) && x.shape(0) <= n.shape(0);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 64) {
      const int32_t count = pyk::min(64, x.shape(0) - i);
      pyk::lane<double, 64> read, value;
      pyk::lane<pyk::mask<int64_t>, 64> taken, other;
      pyk::lane<uint64_t, 64> value_2;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        read[k] = 0.0;
        taken.at[k] = false;
        other.at[k] = false;
        value_2[k] = 0;
        value[k] = 0.0;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        read[k] = x(i + k);
        taken.at[k] = read[k] > 0.5;
        other.at[k] = !taken[k];
        value_2[k] = taken[k] ? uint64_t(n(i + k)) : 0;
      }
      pyk::lane<double, 64> power;
      pyk::lanes::powers(read, value_2, power);
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        value[k] = pyk::lanes::choose(taken[k], power[k] + read[k], value[k]);
        value[k] = pyk::lanes::choose(other[k], 0.0, value[k]);
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = value[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      double value;
      if (x(i) > 0.5) {
        value = pyk::pow(x(i), uint64_t(n(i))) + x(i);
      } else {
        value = 0.0;
      }
      out(i) = value;
    }
  }
}
