// angles.py:8  def turned(x, y, out): …      void(float64[::1], float64[::1], float64[::1])
void turned(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> y,
            pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x, y);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      pyk::lane<double, 32> angle;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        angle[k] = 0.0;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        angle[k] = y(i + k);
      pyk::lane<double, 32> sine, cosine;
      pyk::lanes::sin_cos(angle, sine, cosine);
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = x(i + k) * cosine[k] - sine[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i)
      out(i) = x(i) * pyk::lanes::cos(y(i)) - pyk::lanes::sin(y(i));
  }
}

// angles.py:14  def swings(x, out): …        void(float32[::1], float32[::1])
void swings(pyk::array<const float, 1, pyk::C> x, pyk::array<float, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 64) {
      const int32_t count = pyk::min(64, x.shape(0) - i);
      pyk::lane<float, 64> angle;
      pyk::lane<pyk::mask<int32_t>, 64> taken;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        angle[k] = 0.0f;
        taken.at[k] = false;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        angle[k] = x(i + k);
        taken.at[k] = (k < count) & (angle[k] > 1.0f);
      }
      if (pyk::any(taken)) {
        pyk::lane<float, 64> sine;
        pyk::lanes::sin(angle, sine);
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          angle[k] = pyk::lanes::choose(taken[k], sine[k] * angle[k], angle[k]);
      }
      pyk::lane<float, 64> tangent;
      pyk::lanes::tan(angle, tangent);
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = tangent[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      float angle = x(i);
      if (angle > 1.0f) angle = pyk::lanes::sin(angle) * angle;
      out(i) = pyk::lanes::tan(angle);
    }
  }
}

// angles.py:23  def parted(theta, x, y): …    void(float64[::1], float64[::1], float64[::1])
void parted(pyk::array<const double, 1, pyk::C> theta, pyk::array<double, 1, pyk::C> x,
            pyk::array<double, 1, pyk::C> y) noexcept {
  const bool apart = pyk::lanes::disjoint(x, y, theta) && pyk::lanes::disjoint(y, theta);
  if (apart && theta.shape(0) >= 8) {
    for (int64_t i = 0; i < theta.shape(0); i += 16) {
      const int32_t count = pyk::min(16, theta.shape(0) - i);
      pyk::lane<double, 16> angle;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        angle[k] = 0.0;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        angle[k] = theta(i + k) * 0.5;
      pyk::lane<double, 16> cosine;
      pyk::lanes::cos(angle, cosine);
      pyk::lane<pyk::mask<int64_t>, 16> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k)
        alive.at[k] = k < count;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        x(i + k) = cosine[k];
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          alive.at[k] = alive[k] & (angle[k] > 1.0);
        if (!pyk::any(alive)) break;
        pyk::lane<double, 16> sine, cosine_2;
        pyk::lanes::sin_cos(angle, sine, cosine_2);
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          angle[k] = pyk::lanes::choose(alive[k], angle[k] - cosine_2[k] * sine[k], angle[k]);
      }
      pyk::lane<double, 16> sine, cosine_2;
      pyk::lanes::sin_cos(angle, sine, cosine_2);
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        y(i + k) = sine[k] + cosine_2[k];
    }
  } else {
    for (int64_t i = 0; i < theta.shape(0); ++i) {
      double angle = theta(i) * 0.5;
      x(i) = pyk::math::cos(angle);
      while (angle > 1.0)
        angle = angle - pyk::math::cos(angle) * pyk::math::sin(angle);
      y(i) = pyk::math::sin(angle) + pyk::math::cos(angle);
    }
  }
}
