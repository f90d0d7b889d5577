// vector_math.py:8  def logistic(x): …       float64(float64)
template <class M>
PYK_INLINE_ROOT double logistic(double x) noexcept {
  return 1.0 / (1.0 + M::exp(-x));
}
template decltype(logistic<pyk::libm>) logistic<pyk::libm>;

// vector_math.py:13  def apply(x, out): …    void(float64[:], float64[:])
template <class L, class M>
void apply(pyk::array<const double, 1, L> x, pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    out(i) = logistic<M>(x(i)) * M::log(x(i));
}
template decltype(apply<pyk::C, pyk::lane_math>) apply<pyk::C, pyk::lane_math>;
template decltype(apply<pyk::A, pyk::libm>) apply<pyk::A, pyk::libm>;

// vector_math.py:19  def total(x): …         float64(float64[:])
double total(pyk::array<const double, 1, pyk::A> x) noexcept {
  double acc = 0.0;
  for (const double value : x)
    acc += pyk::math::exp(value);
  return acc;
}

// vector_math.py:19  def total(x): …         float64(float64[::1])
double total_c(pyk::array<const double, 1, pyk::C> x) noexcept {
  double acc = 0.0;
  for (int64_t value_at = 0; value_at < x.shape(0); value_at += 32) {
    const int32_t count = pyk::min(32, x.shape(0) - value_at);
    pyk::lane<double, 32> value_2;
    #pragma omp simd
    for (int32_t k = 0; k < count; ++k) {
      const double value = x(value_at + k);
      value_2[k] = pyk::lanes::exp(value);
    }
    for (int32_t k = 0; k < count; ++k)
      acc += value_2[k];
  }
  return acc;
}

// vector_math.py:27  def alone(x): …         float64(float64)
double alone(double x) noexcept {
  return logistic<pyk::libm>(x);
}

// vector_math.py:32  def polar(x, y, angle, out): …
//     void(float64[:], float64[:], float32[:], float64[:])
template <class L, class M>
void polar(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
           pyk::array<const float, 1, L> angle, pyk::array<double, 1, L> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, y, x, angle);
  if (apart) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      pyk::lane<float, 32> angle_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        angle_2[k] = 0.0f;
      pyk::lane<double, 32> x_2;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        x_2[k] = pyk::lanes::atan2(y(i + k), x(i + k));
        angle_2[k] = angle(i + k);
      }
      pyk::lane<float, 32> sine;
      pyk::lanes::sin(angle_2, sine);
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = x_2[k] * x_2[k] + pyk::lanes::hypot(x(i + k), y(i + k)) * sine[k];
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      const double x_2 = M::atan2(y(i), x(i));
      out(i) = x_2 * x_2 + M::hypot(x(i), y(i)) * M::sin(angle(i));
    }
  }
}
template decltype(polar<pyk::C, pyk::lane_math>) polar<pyk::C, pyk::lane_math>;
template decltype(polar<pyk::A, pyk::libm>) polar<pyk::A, pyk::libm>;
