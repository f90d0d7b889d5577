// one iteration of raises.py:6  for i in prange(len(a)): …
template <bool kCheck>
PYK_INLINE pyk::status raises_step(int64_t i, pyk::array<double, 1, pyk::C> a,
                                   double limit) noexcept {
  if (kCheck && a(i) > limit) return pyk::raise(site::value_8, i);
  a(i) = 2.0 * a(i);
  return pyk::ok;
}

// a portion of raises.py:6  for i in prange(len(a)): …
static inline pyk::status raises_portion(int64_t first, pyk::array<double, 1, pyk::C> a,
                                         double limit) noexcept {
  const int64_t last = pyk::min(first + 256, a.shape(0));
  bool checked = last - first < 8;
  if (!checked) {
    #pragma omp simd reduction(| : checked)
    for (int64_t i = first; i < last; ++i)
      checked |= a(i) > limit;
  }
  if (checked) {
    for (int64_t i = first; i < last; ++i)
      if (const auto status = raises_step<true>(i, a, limit)) return status;
  } else {
    #pragma omp simd
    for (int64_t i = first; i < last; ++i)
      pyk::surely(raises_step<false>(i, a, limit));
  }
  return pyk::ok;
}

// raises.py:5  def raises(a, limit): …       void(float64[::1], float64)
pyk::status raises(pyk::array<double, 1, pyk::C> a, double limit) noexcept {
  pyk::first_error error;
  #pragma omp parallel for firstprivate(a) if (a.shape(0) > 6000)
  for (int64_t first = 0; first < a.shape(0); first += 256)
    if (!error.is_before(first)) error.keep(first, raises_portion(first, a, limit));
  return error.get();
}
