// kron.py:6  def kron(a, b, out): …          void(float64[:,::1], float64[:,::1], float64[:,::1])
void kron(pyk::array<const double, 2, pyk::C> a, pyk::array<const double, 2, pyk::C> b,
          pyk::array<double, 2, pyk::C> out) noexcept {
  for (int64_t i = 0; i < a.shape(0); ++i)
    for (int64_t j = 0; j < a.shape(1); ++j)
      for (int64_t k = 0; k < b.shape(0); ++k)
        for (int64_t m = 0; m < b.shape(1); ++m)
          out(i * b.shape(0) + k, j * b.shape(1) + m) = a(i, j) * b(k, m);
}

// kron.py:15  def blocks(b, out, n, q): …    void(float64[:,::1], float64[:,::1], int64, int64)
void blocks(pyk::array<const double, 2, pyk::C> b, pyk::array<double, 2, pyk::C> out, int64_t n,
            int64_t q) noexcept {
  for (int64_t i = 0; i < b.shape(0); ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t m = 0; m < q; ++m) {
        const int64_t at = q * j + m;
        out(i, at) = 2.0 * b(i, m);
      }
    }
  }
}

// kron.py:24  def perhaps(a, n, q, end): …    float64(float64[::1], int64, int64, int64)
double perhaps(pyk::array<const double, 1, pyk::C> a, int64_t n, int64_t q, int64_t end) noexcept {
  double s = 0.0;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t m = 0; m < q; ++m) {
      const int64_t at = pyk::add(pyk::mul(q, j), m);
      if (at < end) s += a(at);
    }
  }
  return s;
}
