// bounds_checks.py:6  def total(a): …        float64(float64[::1])
double total(pyk::array<const double, 1, pyk::C> a) noexcept {
  double s = 0.0;
  for (int64_t i = 0; i < a.shape(0); ++i)
    s += a(i);
  return s;
}

// one iteration of bounds_checks.py:17  for j in range(1, n - 1): …
template <bool kCheck>
PYK_INLINE pyk::status stencil_step(int64_t j, int64_t i, pyk::array<double, 2, pyk::C> out,
                                    pyk::array<const double, 2, pyk::C> a) noexcept {
  if (kCheck && i >= out.shape(0)) return pyk::raise(site::index_18);
  if (kCheck && j >= out.shape(1)) return pyk::raise(site::index_18);
  out(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1);
  return pyk::ok;
}

// bounds_checks.py:14  def stencil(a, out): …    void(float64[:,::1], float64[:,::1])
pyk::status stencil(pyk::array<const double, 2, pyk::C> a,
                    pyk::array<double, 2, pyk::C> out) noexcept {
  const int64_t m = a.shape(0);
  const int64_t n = a.shape(1);
  const bool apart = pyk::lanes::disjoint(out, a);
  for (int64_t i = 1; i < m - 1; ++i) {
    for (int64_t first = 1; first < n - 1; first += 256) {
      const int64_t last = pyk::min(first + 256, n - 1);
      bool checked = last - first < 8 || !apart;
      if (!checked) {
        #pragma omp simd reduction(| : checked)
        for (int64_t j = first; j < last; ++j) {
          checked |= i >= out.shape(0);
          checked |= j >= out.shape(1);
        }
      }
      if (checked) {
        for (int64_t j = first; j < last; ++j)
          if (const auto status = stencil_step<true>(j, i, out, a)) return status;
      } else {
        #pragma omp simd
        for (int64_t j = first; j < last; ++j)
          pyk::surely(stencil_step<false>(j, i, out, a));
      }
    }
  }
  return pyk::ok;
}

// bounds_checks.py:22  def backwards(a, k): …    float64(float64[::1], int64)
pyk::status backwards(pyk::array<const double, 1, pyk::C> a, int64_t k, double& result) noexcept {
  double s = 0.0;
  for (int64_t i = a.shape(0) - 1; i >= 0; --i)
    s += a(i);
  int64_t j = 0;
  while (j < a.shape(0)) {
    s += a(j);
    j += 2;
  }
  if (k >= 0 && k < a.shape(0)) s += a(k);
  if (k < -a.shape(0) || k >= a.shape(0)) return pyk::raise(site::index_32);
  result = s + a(pyk::wrap(k, a.shape(0)));
  return pyk::ok;
}

// bounds_checks.py:36  def reassigned(a, b): …    float64(float64[::1], float64[::1])
pyk::status reassigned(pyk::array<const double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b,
                       double& result) noexcept {
  const int64_t n = a.shape(0);
  a = b;
  double s = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    if (i >= a.shape(0)) return pyk::raise(site::index_41);
    s += a(i);
  }
  result = s;
  return pyk::ok;
}
