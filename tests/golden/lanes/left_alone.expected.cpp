// left_alone.py:6  def own_stores(a, b): …    void(float64[:], float64[:])
template <class L>
pyk::status own_stores(pyk::array<double, 1, L> a, pyk::array<double, 1, L> b) noexcept {
  for (int64_t i = 0; i < a.shape(0); ++i) {
    b(i) = a(i) - 1.0;
    const double divisor = b(i);
    if (divisor == 0.0) return pyk::raise(site::division_9);
    a(i) = 1.0 / divisor;
  }
  return pyk::ok;
}
PYK_LAYOUTS(own_stores);

// left_alone.py:13  def guarded_index(a, index, out): …    void(float64[:], int64[:], float64[:])
template <class L>
pyk::status guarded_index(pyk::array<const double, 1, L> a, pyk::array<const int64_t, 1, L> index,
                          pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < index.shape(0); ++i) {
    if (index(i) < 0 || index(i) >= a.shape(0)) return pyk::raise(site::index_16);
    const double divisor = a(index(i));
    if (divisor == 0.0) return pyk::raise(site::division_17);
    out(i) = 1.0 / divisor;
  }
  return pyk::ok;
}
PYK_LAYOUTS(guarded_index);

// left_alone.py:21  def running(a, b): …     float64(float64[:], float64[:])
template <class L>
pyk::status running(pyk::array<const double, 1, L> a, pyk::array<const double, 1, L> b,
                    double& result) noexcept {
  double acc = 0.0;
  for (int64_t i = 0; i < a.shape(0); ++i) {
    const double divisor = b(i);
    if (divisor == 0.0) return pyk::raise(site::division_24);
    acc += a(i) / divisor;
  }
  result = acc;
  return pyk::ok;
}
PYK_LAYOUTS(running);

// left_alone.py:29  def same_divisor(a, b, out): …    void(float64[:], float64, float64[:])
pyk::status same_divisor(pyk::array<const double, 1, pyk::A> a, double b,
                         pyk::array<double, 1, pyk::A> out) noexcept {
  for (int64_t i = 0; i < a.shape(0); ++i) {
    if (b == 0.0) return pyk::raise(site::division_31);
    out(i) = a(i) / b;
  }
  return pyk::ok;
}

// left_alone.py:29  def same_divisor(a, b, out): …    void(float64[::1], float64, float64[::1])
pyk::status same_divisor_c(pyk::array<const double, 1, pyk::C> a, double b,
                           pyk::array<double, 1, pyk::C> out) noexcept {
  const bool plain = pyk::lanes::disjoint(out, a) && b != 0.0;
  if (plain) {
    #pragma omp simd
    for (int64_t i = 0; i < a.shape(0); ++i)
      out(i) = a(i) / b;
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      if (b == 0.0) return pyk::raise(site::division_31);
      out(i) = a(i) / b;
    }
  }
  return pyk::ok;
}

// left_alone.py:35  def last_value(a, b, out): …    float64(float64[:], float64[:], float64[:])
template <class L>
pyk::status last_value(pyk::array<const double, 1, L> a, pyk::array<const double, 1, L> b,
                       pyk::array<double, 1, L> out, double& result) noexcept {
  double ratio = 0.0;
  for (int64_t i = 0; i < a.shape(0); ++i) {
    const double divisor = b(i);
    if (divisor == 0.0) return pyk::raise(site::division_38);
    ratio = a(i) / divisor;
    out(i) = ratio;
  }
  result = ratio;
  return pyk::ok;
}
PYK_LAYOUTS(last_value);
