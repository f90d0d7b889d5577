// rows.py:8  def normalized(vectors, out): …    void(float64[:,::1], float64[:,::1])
pyk::status normalized(pyk::array<const double, 2, pyk::C> vectors,
                       pyk::array<double, 2, pyk::C> out) noexcept {
  const bool apart =
      vectors.shape(1) <= 3 && vectors.shape(1) != 0 && vectors.shape(1) != 1 &&
      vectors.shape(1) != 2 && pyk::lanes::disjoint(out, vectors);
  if (apart && vectors.shape(0) >= 8) {
    for (int64_t i = 0; i < vectors.shape(0); i += 16) {
      const int32_t count = pyk::min(16, vectors.shape(0) - i);
      pyk::lanes::given(vectors.shape(1) == 3 &&
          out.shape(1) == 3, [&](const auto known) PYK_INLINED {
        pyk::lanes::assume(!known || (vectors.shape(1) == 3 && out.shape(1) == 3));
        pyk::lane<double, 16> fixed;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          fixed[k] = 0.0;
        pyk::lane<double, 16> scale;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          scale[k] = 1.0;
          alive.at[k] = k < count;
        }
        pyk::lane<double, 16> x, y, z;
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          x[k] = vectors(i + k, 0);
          y[k] = vectors(i + k, 1);
          z[k] = vectors(i + k, 2);
          fixed[k] = pyk::math::sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
        }
        while (true) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            alive.at[k] = alive[k] & (scale[k] * fixed[k] > 1.0);
          if (!pyk::any(alive)) break;
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            scale[k] = pyk::lanes::choose(alive[k], scale[k] * 0.5, scale[k]);
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          out(i + k, 0) = x[k] * scale[k];
          out(i + k, 1) = y[k] * scale[k];
          out(i + k, 2) = z[k] * scale[k];
        }
      });
    }
  } else {
    for (int64_t i = 0; i < vectors.shape(0); ++i) {
      const auto items = pyk::view<pyk::C>(vectors, i, pyk::all);
      if (items.shape(0) > 3) return pyk::raise(site::value_10);
      if (items.shape(0) == 0) return pyk::raise(site::value_10_2);
      if (items.shape(0) == 1) return pyk::raise(site::value_10_3);
      if (items.shape(0) == 2) return pyk::raise(site::value_10_4);
      const double x = items(0);
      const double y = items(1);
      const double z = items(2);
      double scale = 1.0;
      const double fixed = pyk::math::sqrt(x * x + y * y + z * z);
      while (scale * fixed > 1.0)
        scale *= 0.5;
      const auto row = pyk::view<pyk::C>(out, i, pyk::all);
      row(0) = x * scale;
      row(1) = y * scale;
      row(2) = z * scale;
    }
  }
  return pyk::ok;
}

// rows.py:19  def columns(a, out): …         void(float64[:,:,::1], float64[::1])
void columns(pyk::array<const double, 3, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, a);
  if (apart && a.shape(0) >= 19) {
    for (int64_t i = 0; i < a.shape(0); i += 32) {
      const int32_t count = pyk::min(32, a.shape(0) - i);
      pyk::lane<double, 32> best;
      pyk::lane<int64_t, 32> k;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
        best[k_2] = 0.0;
        k[k_2] = i + k_2;
      }
      for (int64_t j = 0; j < a.shape(1); ++j) {
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          k[k_2] = k[k_2] / 2;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2) {
          const double read = a(i + k_2, j, 1);
          const bool taken = (read > best[k_2]) & (read < 9.0);
          best[k_2] = pyk::lanes::choose(taken, read, best[k_2]);
        }
      }
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        out(i + k_2) = best[k_2] + k[k_2];
    }
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      double best = 0.0;
      const auto part = pyk::view<pyk::A>(a, i, pyk::all, 1);
      int64_t k = i;
      for (int64_t j = 0; j < part.shape(0); ++j) {
        k /= 2;
        if (part(j) > best && part(j) < 9.0) best = part(j);
      }
      out(i) = best + k;
    }
  }
}
