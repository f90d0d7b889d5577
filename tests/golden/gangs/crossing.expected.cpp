// crossing.py:6  def shortest_ways(distance): …    void(float32[:,::1])
void shortest_ways(pyk::array<float, 2, pyk::C> distance) noexcept {
  const int64_t n = distance.shape(0);
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      const int64_t at = pyk::max(0, pyk::min(k, n));
      const int64_t next = at == k && at < n ? at + 1 : at;
      for (int64_t side = 0; side < 2; ++side) {
        const int64_t begin = side == 0 ? 0 : next;
        const int64_t end = side == 0 ? at : n;
        if (begin < end) {
          const float kept = distance(i, k);
          #pragma omp simd
          for (int64_t j = begin; j < end; ++j) {
            const float through = kept + distance(k, j);
            distance(i, j) = through < distance(i, j) ? through : distance(i, j);
          }
        }
        const int64_t j_end = side == 0 ? next : at;
        for (int64_t j = at; j < j_end; ++j) {
          const float through = distance(i, k) + distance(k, j);
          if (through < distance(i, j)) distance(i, j) = through;
        }
      }
    }
  }
}

// crossing.py:17  def eliminate(a, x): …     void(float64[:,::1], float64[::1])
pyk::status eliminate(pyk::array<double, 2, pyk::C> a, pyk::array<double, 1, pyk::C> x) noexcept {
  const int64_t n = a.shape(0);
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = k + 1; i < n; ++i) {
      const double divisor = a(k, k) + 1e-09;
      if (divisor == 0.0) return pyk::raise(site::division_21);
      a(i, k) /= divisor;
      for (int64_t j = k + 1; j < n; ++j)
        a(i, j) -= a(i, k) * a(k, j);
      x(i) -= a(i, k) * x(k);
    }
  }
  return pyk::ok;
}

// crossing.py:28  def at_least(a, b): …      void(float64[::1], float64[::1])
void at_least(pyk::array<double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b) noexcept {
  for (int64_t i = 0; i < a.shape(0); ++i)
    a(i) = a(i) < b(i) ? b(i) : a(i);
}
