// complexes.py:6  def mandelbrot(c, limit, out): …    void(complex128[::1], int64, int64[::1])
void mandelbrot(pyk::array<const pyk::complex<double>, 1, pyk::C> c, int64_t limit,
                pyk::array<int64_t, 1, pyk::C> out) noexcept {
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
