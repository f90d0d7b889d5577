// strips.py:7  def divide(a, b, out): …      void(float64[:], float64[:], float64[:])
pyk::status divide(pyk::array<const double, 1, pyk::A> a, pyk::array<const double, 1, pyk::A> b,
                   pyk::array<double, 1, pyk::A> out) noexcept {
  for (int64_t i = 0; i < a.shape(0); ++i) {
    const double divisor = b(i);
    if (divisor == 0.0) return pyk::raise(site::division_9);
    out(i) = a(i) / divisor;
  }
  return pyk::ok;
}

// one iteration of strips.py:8  for i in range(len(a)): …
template <bool kCheck>
PYK_INLINE pyk::status divide_c_step(int64_t i, pyk::array<const double, 1, pyk::C> b,
                                     pyk::array<double, 1, pyk::C> out,
                                     pyk::array<const double, 1, pyk::C> a) noexcept {
  const double divisor = b(i);
  if (kCheck && divisor == 0.0) return pyk::raise(site::division_9);
  out(i) = a(i) / divisor;
  return pyk::ok;
}

// strips.py:7  def divide(a, b, out): …      void(float64[::1], float64[::1], float64[::1])
pyk::status divide_c(pyk::array<const double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b,
                     pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, b, a) && a.shape(0) <= b.shape(0);
  for (int64_t first = 0; first < a.shape(0); first += 256) {
    const int64_t last = pyk::min(first + 256, a.shape(0));
    bool checked = last - first < 8 || !apart;
    if (!checked) {
      #pragma omp simd reduction(| : checked)
      for (int64_t i = first; i < last; ++i)
        checked |= b(i) == 0.0;
    }
    if (checked) {
      for (int64_t i = first; i < last; ++i)
        if (const auto status = divide_c_step<true>(i, b, out, a)) return status;
    } else {
      #pragma omp simd
      for (int64_t i = first; i < last; ++i)
        pyk::surely(divide_c_step<false>(i, b, out, a));
    }
  }
  return pyk::ok;
}

// one iteration of strips.py:14  for i in prange(a.shape[0]): …
static inline pyk::status scale_columns_each_i(int64_t i, pyk::array<const float, 2, pyk::A> a,
                                               pyk::array<const float, 1, pyk::A> scale,
                                               pyk::array<float, 2, pyk::A> out) noexcept {
  for (int64_t j = 0; j < a.shape(1); ++j) {
    const float divisor = scale(j);
    if (divisor == 0.0f) return pyk::raise(site::division_16);
    out(i, j) = a(i, j) / divisor;
  }
  return pyk::ok;
}

// strips.py:13  def scale_columns(a, scale, out): …    void(float32[:,:], float32[:], float32[:,:])
pyk::status scale_columns(pyk::array<const float, 2, pyk::A> a,
                          pyk::array<const float, 1, pyk::A> scale,
                          pyk::array<float, 2, pyk::A> out) noexcept {
  pyk::first_error error;
  #pragma omp parallel for firstprivate(a, scale, out) if (double(a.shape(0)) * a.shape(1) > 3000.0)
  for (int64_t i = 0; i < a.shape(0); ++i)
    if (!error.is_before(i)) error.keep(i, scale_columns_each_i(i, a, scale, out));
  return error.get();
}

// one iteration of strips.py:15  for j in range(a.shape[1]): …
template <bool kCheck>
PYK_INLINE pyk::status scale_columns_c_step(int64_t j, pyk::array<const float, 1, pyk::C> scale,
                                            pyk::array<float, 2, pyk::C> out, int64_t i,
                                            pyk::array<const float, 2, pyk::C> a) noexcept {
  const float divisor = scale(j);
  if (kCheck && divisor == 0.0f) return pyk::raise(site::division_16);
  out(i, j) = a(i, j) / divisor;
  return pyk::ok;
}

// one iteration of strips.py:14  for i in prange(a.shape[0]): …
static inline pyk::status scale_columns_c_each_i(int64_t i, pyk::array<const float, 2, pyk::C> a,
                                                 bool apart,
                                                 pyk::array<const float, 1, pyk::C> scale,
                                                 pyk::array<float, 2, pyk::C> out) noexcept {
  for (int64_t first = 0; first < a.shape(1); first += 256) {
    const int64_t last = pyk::min(first + 256, a.shape(1));
    bool checked = last - first < 8 || !apart;
    if (!checked) {
      #pragma omp simd reduction(| : checked)
      for (int64_t j = first; j < last; ++j)
        checked |= scale(j) == 0.0f;
    }
    if (checked) {
      for (int64_t j = first; j < last; ++j)
        if (const auto status = scale_columns_c_step<true>(j, scale, out, i, a)) return status;
    } else {
      #pragma omp simd
      for (int64_t j = first; j < last; ++j)
        pyk::surely(scale_columns_c_step<false>(j, scale, out, i, a));
    }
  }
  return pyk::ok;
}

// strips.py:13  def scale_columns(a, scale, out): …
//     void(float32[:,::1], float32[::1], float32[:,::1])
pyk::status scale_columns_c(pyk::array<const float, 2, pyk::C> a,
                            pyk::array<const float, 1, pyk::C> scale,
                            pyk::array<float, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, scale, a) && a.shape(1) <= scale.shape(0);
  pyk::first_error error;
  #pragma omp parallel for firstprivate(a, scale, out) if (double(a.shape(0)) * a.shape(1) > 3000.0)
  for (int64_t i = 0; i < a.shape(0); ++i)
    if (!error.is_before(i)) error.keep(i, scale_columns_c_each_i(i, a, apart, scale, out));
  return error.get();
}

// strips.py:20  def checked(a, limit): …     float64[:](float64[:], float64)
pyk::status checked(pyk::array<const double, 1, pyk::A> a, double limit,
                    pyk::owned<double, 1, pyk::A>& result) noexcept {
  auto out = pyk::empty<double, pyk::C>(a.shape(0));
  if (!out.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < a.shape(0); ++i) {
    if (a(i) > limit) return pyk::raise(site::value_24, limit);
    out(i) = a(i) * 0.5;
  }
  result = std::move(out);
  return pyk::ok;
}

// one iteration of strips.py:22  for i in range(len(a)): …
template <bool kCheck>
PYK_INLINE pyk::status checked_c_step(int64_t i, pyk::array<const double, 1, pyk::C> a,
                                      double limit, pyk::array<double, 1, pyk::C> out) noexcept {
  if (kCheck && a(i) > limit) return pyk::raise(site::value_24, limit);
  out(i) = a(i) * 0.5;
  return pyk::ok;
}

// strips.py:20  def checked(a, limit): …     float64[:](float64[::1], float64)
pyk::status checked_c(pyk::array<const double, 1, pyk::C> a, double limit,
                      pyk::owned<double, 1, pyk::A>& result) noexcept {
  auto out = pyk::empty<double, pyk::C>(a.shape(0));
  if (!out.is_valid()) return pyk::no_memory;
  for (int64_t first = 0; first < a.shape(0); first += 256) {
    const int64_t last = pyk::min(first + 256, a.shape(0));
    bool checked = last - first < 8;
    if (!checked) {
      #pragma omp simd reduction(| : checked)
      for (int64_t i = first; i < last; ++i)
        checked |= a(i) > limit;
    }
    if (checked) {
      for (int64_t i = first; i < last; ++i)
        if (const auto status = checked_c_step<true>(i, a, limit, out)) return status;
    } else {
      #pragma omp simd
      for (int64_t i = first; i < last; ++i)
        pyk::surely(checked_c_step<false>(i, a, limit, out));
    }
  }
  result = std::move(out);
  return pyk::ok;
}
