// complexes.py:6  def mandelbrot(c, limit, out): …    void(complex128[::1], int64, int64[::1])
void mandelbrot(pyk::array<const pyk::complex<double>, 1, pyk::C> c, int64_t limit,
                pyk::array<int64_t, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, c);
  if (apart && c.shape(0) >= 11) {
    for (int64_t i = 0; i < c.shape(0); i += 16) {
      pyk::lanes::gang<16>(c.shape(0) - i, [&](const auto count) PYK_INLINED {
        pyk::lane<double, 16> z_re, z_im;
        pyk::lane<int64_t, 16> n;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          z_re[k] = 0.0;
          z_im[k] = 0.0;
          n[k] = 0;
          alive.at[k] = k < count;
        }
        while (true) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            alive.at[k] =
                alive[k] & ((pyk::lanes::hypot(z_re[k], z_im[k]) <= 2.0) & (n[k] < limit));
          if (!pyk::any(alive)) break;
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            n[k] = pyk::lanes::choose(alive[k], pyk::add(n[k], 1), n[k]);
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k) {
            const double part = z_re[k] * z_im[k] + z_im[k] * z_re[k] + pyk::imag(c(i + k));
            z_re[k] = z_re[k] * z_re[k] - z_im[k] * z_im[k] + pyk::real(c(i + k));
            z_im[k] = part;
          }
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = n[k];
      });
    }
  } else {
    for (int64_t i = 0; i < c.shape(0); ++i) {
      pyk::complex<double> z{0.0, 0.0};
      int64_t n = 0;
      while (pyk::abs(z) <= 2.0 && n < limit) {
        z = z * z + c(i);
        n += 1;
      }
      out(i) = n;
    }
  }
}
