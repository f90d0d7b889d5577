// vector_math.py:8  def logistic(x): …       float64(float64)
template <class M>
double logistic(double x) noexcept {
  return 1.0 / (1.0 + M::exp(-x));
}
template decltype(logistic<pyk::libm>) logistic<pyk::libm>;

// vector_math.py:13  def apply(x, out): …    void(float64[:], float64[:])
void apply(pyk::array<const double, 1, pyk::A> x, pyk::array<double, 1, pyk::A> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        const double x_2 = x(i + k);
        const double logistic_2 = 1.0 / (1.0 + pyk::lanes::exp(-x_2));
        out(i + k) = logistic_2 * pyk::lanes::log(x(i + k));
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i)
      out(i) = logistic<pyk::libm>(x(i)) * pyk::math::log(x(i));
  }
}

// vector_math.py:13  def apply(x, out): …    void(float64[::1], float64[::1])
void apply_c(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    out(i) = logistic<pyk::lane_math>(x(i)) * pyk::lanes::log(x(i));
}

// vector_math.py:19  def total(x): …         float64(float64[:])
template <class L>
double total(pyk::array<const double, 1, L> x) noexcept {
  double acc = 0.0;
  for (int64_t value_at = 0; value_at < x.shape(0); value_at += 32) {
    const int32_t count = pyk::min(32, x.shape(0) - value_at);
    pyk::lane<double, 32> value;
    #pragma omp simd
    for (int32_t k = 0; k < 32; ++k)
      value[k] = 0.0;
    #pragma omp simd
    for (int32_t k = 0; k < count; ++k)
      value[k] = x(value_at + k);
    for (int32_t k = 0; k < count; ++k)
      acc += pyk::lanes::exp(value[k]);
  }
  return acc;
}
PYK_LAYOUTS(total);

// vector_math.py:27  def alone(x): …         float64(float64)
double alone(double x) noexcept {
  return logistic<pyk::libm>(x);
}
