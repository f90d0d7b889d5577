namespace PYK_ISA {

// ufuncs.py:9  def axpy(a, x, y): …          float32(float32, float32, float32)
PYK_INLINE float axpy_f4_f4_f4(float a, float x, float y) noexcept {
  return a * x + y;
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
template <class L>
void axpy_f4_f4_f4_loop(pyk::array<const float, 1, L> a, pyk::array<const float, 1, L> x,
                        pyk::array<const float, 1, L> y, pyk::array<float, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f4_f4_f4(a(i), x(i), y(i));
}
PYK_LAYOUTS(axpy_f4_f4_f4_loop);

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> a,
                            pyk::array<const float, 1, pyk::C> x, float y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f4_f4_f4(a(i), x(i), y);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_x(pyk::array<const float, 1, pyk::C> a, float x,
                            pyk::array<const float, 1, pyk::C> y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f4_f4_f4(a(i), x, y(i));
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_a(float a, pyk::array<const float, 1, pyk::C> x,
                            pyk::array<const float, 1, pyk::C> y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f4_f4_f4(a, x(i), y(i));
}

// ufuncs.py:9  def axpy(a, x, y): …          float64(float64, float64, float64)
PYK_INLINE double axpy_f8_f8_f8(double a, double x, double y) noexcept {
  return a * x + y;
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
template <class L>
void axpy_f8_f8_f8_loop(pyk::array<const double, 1, L> a, pyk::array<const double, 1, L> x,
                        pyk::array<const double, 1, L> y, pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f8_f8_f8(a(i), x(i), y(i));
}
PYK_LAYOUTS(axpy_f8_f8_f8_loop);

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> a,
                            pyk::array<const double, 1, pyk::C> x, double y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f8_f8_f8(a(i), x(i), y);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_x(pyk::array<const double, 1, pyk::C> a, double x,
                            pyk::array<const double, 1, pyk::C> y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f8_f8_f8(a(i), x, y(i));
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_a(double a, pyk::array<const double, 1, pyk::C> x,
                            pyk::array<const double, 1, pyk::C> y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = axpy_f8_f8_f8(a, x(i), y(i));
}

// ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …    float64(float64, float64, float64)
template <class M>
PYK_INLINE double gaussian_pdf(double x, double mean, double sigma) noexcept {
  const double t = (x - mean) / sigma;
  return M::exp(-0.5 * t * t) / (sigma * pyk::math::sqrt(2.0 * 3.141592653589793));
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
template <class L, class M>
void gaussian_pdf_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> mean,
                       pyk::array<const double, 1, L> sigma,
                       pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = gaussian_pdf<M>(x(i), mean(i), sigma(i));
}
template decltype(gaussian_pdf_loop<pyk::C, pyk::lane_math>) gaussian_pdf_loop<pyk::C, pyk::lane_math>;
template decltype(gaussian_pdf_loop<pyk::A, pyk::libm>) gaussian_pdf_loop<pyk::A, pyk::libm>;

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_sigma(pyk::array<const double, 1, pyk::C> x,
                               pyk::array<const double, 1, pyk::C> mean, double sigma,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = gaussian_pdf<pyk::lane_math>(x(i), mean(i), sigma);
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_mean(pyk::array<const double, 1, pyk::C> x, double mean,
                              pyk::array<const double, 1, pyk::C> sigma,
                              pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = gaussian_pdf<pyk::lane_math>(x(i), mean, sigma(i));
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_x(double x, pyk::array<const double, 1, pyk::C> mean,
                           pyk::array<const double, 1, pyk::C> sigma,
                           pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = gaussian_pdf<pyk::lane_math>(x, mean(i), sigma(i));
}

// ufuncs.py:22  def sin_cos(x): …            float64(float64)
template <class M>
PYK_INLINE double sin_cos(double x) noexcept {
  return M::sin(x) * M::cos(x);
}

// loop of ufuncs.py:22  def sin_cos(x): …
void sin_cos_loop(pyk::array<const double, 1, pyk::A> x,
                  pyk::array<double, 1, pyk::A> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = sin_cos<pyk::libm>(x(i));
}

// loop of ufuncs.py:22  def sin_cos(x): …
void sin_cos_loop_c(pyk::array<const double, 1, pyk::C> x,
                    pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, x);
  if (apart) {
    for (int64_t i = 0; i < out.shape(0); i += 32) {
      const int32_t count = pyk::min(32, out.shape(0) - i);
      pyk::lane<double, 32> x_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        x_2[k] = 0.0;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        x_2[k] = x(i + k);
      pyk::lane<double, 32> sine, cosine;
      pyk::lanes::sin_cos(x_2, sine, cosine);
      pyk::lane<double, 32> sin_cos_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        sin_cos_2[k] = sine[k] * cosine[k];
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k) = sin_cos_2[k];
    }
  } else {
    for (int64_t i = 0; i < out.shape(0); ++i)
      out(i) = sin_cos<pyk::lane_math>(x(i));
  }
}

// ufuncs.py:27  def hypotenuse(x, y): …      float32(float32, float32)
PYK_INLINE float hypotenuse_f4_f4(float x, float y) noexcept {
  return pyk::math::sqrt(x * x + y * y);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
template <class L>
void hypotenuse_f4_f4_loop(pyk::array<const float, 1, L> x, pyk::array<const float, 1, L> y,
                           pyk::array<float, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f4_f4(x(i), y(i));
}
PYK_LAYOUTS(hypotenuse_f4_f4_loop);

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> x, float y,
                               pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f4_f4(x(i), y);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f4_f4_loop_c_x(float x, pyk::array<const float, 1, pyk::C> y,
                               pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f4_f4(x, y(i));
}

// ufuncs.py:27  def hypotenuse(x, y): …      float64(float64, float64)
PYK_INLINE double hypotenuse_f8_f8(double x, double y) noexcept {
  return pyk::math::sqrt(x * x + y * y);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
template <class L>
void hypotenuse_f8_f8_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                           pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f8_f8(x(i), y(i));
}
PYK_LAYOUTS(hypotenuse_f8_f8_loop);

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f8_f8(x(i), y);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f8_f8_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypotenuse_f8_f8(x, y(i));
}

// ufuncs.py:32  def cnd(d): …                float64(float64)
template <class M>
PYK_INLINE double cnd(double d) noexcept {
  const double k = 1.0 / (1.0 + 0.2316419 * pyk::abs(d));
  const double poly =
      k *
      (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double value = M::exp(-0.5 * d * d) * poly / pyk::math::sqrt(2.0 * 3.141592653589793);
  return d > 0.0 ? 1.0 - value : value;
}

// loop of ufuncs.py:32  def cnd(d): …
template <class L, class M>
void cnd_loop(pyk::array<const double, 1, L> d, pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = cnd<M>(d(i));
}
template decltype(cnd_loop<pyk::C, pyk::lane_math>) cnd_loop<pyk::C, pyk::lane_math>;
template decltype(cnd_loop<pyk::A, pyk::libm>) cnd_loop<pyk::A, pyk::libm>;

// ufuncs.py:41  def call_price(price, strike, years, rate, volatility): …
//     float64(float64, float64, float64, float64, float64)
template <class M>
PYK_INLINE double call_price(double price, double strike, double years, double rate,
                             double volatility) noexcept {
  const double root = volatility * pyk::math::sqrt(years);
  const double d = (M::log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root;
  return price * cnd<M>(d) - strike * M::exp(-rate * years) * cnd<M>(d - root);
}

// loop of ufuncs.py:41  def call_price(price, strike, years, rate, volatility): …
template <class L, class M>
void call_price_loop(pyk::array<const double, 1, L> price, pyk::array<const double, 1, L> strike,
                     pyk::array<const double, 1, L> years, pyk::array<const double, 1, L> rate,
                     pyk::array<const double, 1, L> volatility,
                     pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = call_price<M>(price(i), strike(i), years(i), rate(i), volatility(i));
}
template decltype(call_price_loop<pyk::C, pyk::lane_math>) call_price_loop<pyk::C, pyk::lane_math>;
template decltype(call_price_loop<pyk::A, pyk::libm>) call_price_loop<pyk::A, pyk::libm>;

// ufuncs.py:49  def l2_norm(vector, out): …    void(float64[:], float64[:])
template <class L>
static inline void l2_norm_f8_1a_f8_1a(pyk::array<const double, 1, L> vector,
                                       pyk::array<double, 1, L> out) noexcept {
  double total = 0.0;
  for (const double value : vector)
    total = pyk::in_order(total + value * value);
  out(0) = pyk::math::sqrt(total);
}

// loop of ufuncs.py:49  def l2_norm(vector, out): …
void l2_norm_loop(pyk::array<const double, 2, pyk::A> vector,
                  pyk::array<double, 2, pyk::A> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, vector);
  if (apart && out.shape(0) >= 25) {
    for (int64_t i = 0; i < out.shape(0); i += 32) {
      const int32_t count = pyk::min(32, out.shape(0) - i);
      pyk::lane<double, 32> total;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        total[k] = 0.0;
      for (int64_t value_at = 0; value_at < vector.shape(1); ++value_at) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          const double value = vector(i + k, value_at);
          total[k] = total[k] + value * value;
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k, 0) = pyk::math::sqrt(total[k]);
    }
  } else {
    for (int64_t i = 0; i < out.shape(0); ++i)
      l2_norm_f8_1a_f8_1a<pyk::A>(pyk::view<pyk::A>(vector, i, pyk::all),
                                  pyk::view<pyk::A>(out, i, pyk::all));
  }
}

// loop of ufuncs.py:49  def l2_norm(vector, out): …
void l2_norm_loop_c(pyk::array<const double, 2, pyk::C> vector,
                    pyk::array<double, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, vector);
  if (apart && out.shape(0) >= 17) {
    for (int64_t i = 0; i < out.shape(0); i += 32) {
      const int32_t count = pyk::min(32, out.shape(0) - i);
      pyk::lane<double, 32> total;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        total[k] = 0.0;
      for (int64_t value_at = 0; value_at < vector.shape(1); ++value_at) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          const double value = vector(i + k, value_at);
          total[k] = total[k] + value * value;
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i + k, 0) = pyk::math::sqrt(total[k]);
    }
  } else {
    for (int64_t i = 0; i < out.shape(0); ++i)
      l2_norm_f8_1a_f8_1a<pyk::C>(pyk::view<pyk::C>(vector, i, pyk::all),
                                  pyk::view<pyk::C>(out, i, pyk::all));
  }
}

// ufuncs.py:57  def matmulcore(a, b, c): …    void(float64[:,:], float64[:,:], float64[:,:])
static inline void matmulcore_f8_2a_f8_2a_f8_2a(pyk::array<const double, 2, pyk::A> a,
                                                pyk::array<const double, 2, pyk::A> b,
                                                pyk::array<double, 2, pyk::A> c) noexcept {
  const auto [m, n] = a.shape();
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < b.shape(1); ++j)
      c(i, j) = 0.0;
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < b.shape(1); ++j)
        c(i, j) += a(i, k) * b(k, j);
  }
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop(pyk::array<const double, 3, pyk::A> a, pyk::array<const double, 3, pyk::A> b,
                     pyk::array<double, 3, pyk::A> c) noexcept {
  for (int64_t i = 0; i < c.shape(0); ++i)
    matmulcore_f8_2a_f8_2a_f8_2a(pyk::view<pyk::A>(a, i, pyk::all, pyk::all),
                                 pyk::view<pyk::A>(b, i, pyk::all, pyk::all),
                                 pyk::view<pyk::A>(c, i, pyk::all, pyk::all));
}

// ufuncs.py:57  def matmulcore(a, b, c): …    void(float64[:,::1], float64[:,::1], float64[:,::1])
static inline void matmulcore_f8_2c_f8_2c_f8_2c(pyk::array<const double, 2, pyk::C> a,
                                                pyk::array<const double, 2, pyk::C> b,
                                                pyk::array<double, 2, pyk::C> c) noexcept {
  const int64_t m = a.shape(0);
  const int64_t n = a.shape(1);
  const bool apart = pyk::lanes::disjoint(c, a, b) && 0 < n && 7 < b.shape(1);
  if (apart) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < b.shape(1); ++j)
        c(i, j) = 0.0;
    const int64_t i_step = pyk::tile_rows(m, n, false);
    for (int64_t i_first = 0; i_first < m; i_first += i_step) {
      const int64_t i_last = i_first + pyk::min(i_step, m - i_first);
      const int64_t i_rest = i_last - (i_last - i_first) % 4;
      for (int64_t j = 0; j < b.shape(1); j += 32) {
        pyk::lanes::gang<32>(b.shape(1) - j, [&](const auto count) PYK_INLINED {
          const pyk::owned<double, 2, pyk::C> b_panel =
              pyk::lanes::panel(pyk::view<pyk::A>(b, pyk::slice(0, n), pyk::slice(j, j + count)),
                                int64_t(32), pyk::sub(i_rest, i_first) >= 32 && 0 < n);
          for (int64_t i = i_first; i < i_rest; i += 4) {
            pyk::lane<double, 32> sum, sum_2, sum_3, sum_4;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              sum[k_2] = c(i, j + k_2);
              sum_2[k_2] = c(i + 1, j + k_2);
              sum_3[k_2] = c(i + 2, j + k_2);
              sum_4[k_2] = c(i + 3, j + k_2);
            }
            for (int64_t k = 0; k < n; ++k) {
              const double same = a(i, k);
              const double same_2 = a(i + 1, k);
              const double same_3 = a(i + 2, k);
              const double same_4 = a(i + 3, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2) {
                sum[k_2] = sum[k_2] + same * b_panel(k, k_2);
                sum_2[k_2] = sum_2[k_2] + same_2 * b_panel(k, k_2);
                sum_3[k_2] = sum_3[k_2] + same_3 * b_panel(k, k_2);
                sum_4[k_2] = sum_4[k_2] + same_4 * b_panel(k, k_2);
              }
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2) {
              c(i, j + k_2) = sum[k_2];
              c(i + 1, j + k_2) = sum_2[k_2];
              c(i + 2, j + k_2) = sum_3[k_2];
              c(i + 3, j + k_2) = sum_4[k_2];
            }
          }
          for (int64_t i = i_rest; i < i_last; ++i) {
            pyk::lane<double, 32> sum;
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              sum[k_2] = c(i, j + k_2);
            for (int64_t k = 0; k < n; ++k) {
              const double same = a(i, k);
              #pragma omp simd
              for (int32_t k_2 = 0; k_2 < count; ++k_2)
                sum[k_2] = sum[k_2] + same * b_panel(k, k_2);
            }
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              c(i, j + k_2) = sum[k_2];
          }
        });
      }
    }
  } else {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < b.shape(1); ++j)
        c(i, j) = 0.0;
      for (int64_t k = 0; k < n; ++k)
        for (int64_t j = 0; j < b.shape(1); ++j)
          c(i, j) += a(i, k) * b(k, j);
    }
  }
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c_b(pyk::array<const double, 3, pyk::C> a,
                         pyk::array<const double, 2, pyk::C> b,
                         pyk::array<double, 3, pyk::C> c) noexcept {
  for (int64_t i = 0; i < c.shape(0); ++i)
    matmulcore_f8_2c_f8_2c_f8_2c(pyk::view<pyk::C>(a, i, pyk::all, pyk::all), b,
                                 pyk::view<pyk::C>(c, i, pyk::all, pyk::all));
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c_a(pyk::array<const double, 2, pyk::C> a,
                         pyk::array<const double, 3, pyk::C> b,
                         pyk::array<double, 3, pyk::C> c) noexcept {
  for (int64_t i = 0; i < c.shape(0); ++i)
    matmulcore_f8_2c_f8_2c_f8_2c(a, pyk::view<pyk::C>(b, i, pyk::all, pyk::all),
                                 pyk::view<pyk::C>(c, i, pyk::all, pyk::all));
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c(pyk::array<const double, 3, pyk::C> a, pyk::array<const double, 3, pyk::C> b,
                       pyk::array<double, 3, pyk::C> c) noexcept {
  for (int64_t i = 0; i < c.shape(0); ++i)
    matmulcore_f8_2c_f8_2c_f8_2c(pyk::view<pyk::C>(a, i, pyk::all, pyk::all),
                                 pyk::view<pyk::C>(b, i, pyk::all, pyk::all),
                                 pyk::view<pyk::C>(c, i, pyk::all, pyk::all));
}

// ufuncs.py:68  def in_polygon(vertices, point, out): …    void(float32[:,:], float32[:], bool[:])
template <class L>
static inline void in_polygon_f4_2a_f4_1a_b1_1a(pyk::array<const float, 2, L> vertices,
                                                pyk::array<const float, 1, L> point,
                                                pyk::array<bool, 1, L> out) noexcept {
  const int64_t n = vertices.shape(0);
  bool inside = false;
  float x1 = vertices(n - 1, 0);
  float y1 = vertices(n - 1, 1);
  for (int64_t i = 0; i < n; ++i) {
    const float x2 = vertices(i, 0);
    const float y2 = vertices(i, 1);
    if ((y1 > point(1)) != (y2 > point(1)))
      inside = pyk::blend(point(0) < (x2 - x1) * (point(1) - y1) / (y2 - y1) + x1, !inside, inside);
    x1 = x2;
    y1 = y2;
  }
  out(0) = inside;
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop(pyk::array<const float, 3, pyk::A> vertices,
                     pyk::array<const float, 2, pyk::A> point,
                     pyk::array<bool, 2, pyk::A> out) noexcept {
  const bool apart =
      pyk::lanes::disjoint(out, vertices, point) && out.shape(0) <= point.shape(0) &&
      1 < point.shape(1) && 0 < point.shape(1);
  if (apart && out.shape(0) >= 43) {
    for (int64_t i_2 = 0; i_2 < out.shape(0); i_2 += 64) {
      const int32_t count = pyk::min(64, out.shape(0) - i_2);
      const int64_t n = vertices.shape(1);
      const bool same = 1 < point.shape(1);
      const bool same_2 = 0 < point.shape(1);
      pyk::lane<pyk::mask<int32_t>, 64> inside;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k)
        inside.at[k] = false;
      pyk::lane<float, 64> x1, y1, kept, kept_2;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        x1[k] = vertices(i_2 + k, n - 1, 0);
        y1[k] = vertices(i_2 + k, n - 1, 1);
        kept[k] = (i_2 + k < point.shape(0)) & same ? point(i_2 + k, 1) : 0.0f;
        kept_2[k] = (i_2 + k < point.shape(0)) & same_2 ? point(i_2 + k, 0) : 0.0f;
      }
      for (int64_t i = 0; i < n; ++i) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          const float x2 = vertices(i_2 + k, i, 0);
          const float y2 = vertices(i_2 + k, i, 1);
          const bool taken = (y1[k] > kept[k]) != (y2 > kept[k]);
          const bool taken_2 =
              taken & (kept_2[k] < (x2 - x1[k]) * (kept[k] - y1[k]) / (y2 - y1[k]) + x1[k]);
          inside.at[k] = inside[k] ^ taken_2;
          x1[k] = x2;
          y1[k] = y2;
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i_2 + k, 0) = inside[k];
    }
  } else {
    for (int64_t i_2 = 0; i_2 < out.shape(0); ++i_2)
      in_polygon_f4_2a_f4_1a_b1_1a<pyk::A>(pyk::view<pyk::A>(vertices, i_2, pyk::all, pyk::all),
                                           pyk::view<pyk::A>(point, i_2, pyk::all),
                                           pyk::view<pyk::A>(out, i_2, pyk::all));
  }
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c_point(pyk::array<const float, 3, pyk::C> vertices,
                             pyk::array<const float, 1, pyk::C> point,
                             pyk::array<bool, 2, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, vertices, point);
  if (apart && out.shape(0) >= 26) {
    for (int64_t i_2 = 0; i_2 < out.shape(0); i_2 += 64) {
      const int32_t count = pyk::min(64, out.shape(0) - i_2);
      pyk::lane<float, 64> x1, y1, x2, y2;
      pyk::lane<pyk::mask<int32_t>, 64> taken;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        x1[k] = 0.0f;
        y1[k] = 0.0f;
        x2[k] = 0.0f;
        y2[k] = 0.0f;
        taken.at[k] = false;
      }
      const int64_t n = vertices.shape(1);
      pyk::lane<pyk::mask<int32_t>, 64> inside;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k)
        inside.at[k] = false;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        x1[k] = vertices(i_2 + k, n - 1, 0);
        y1[k] = vertices(i_2 + k, n - 1, 1);
      }
      for (int64_t i = 0; i < n; ++i) {
        const float read = point(1);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          x2[k] = vertices(i_2 + k, i, 0);
          y2[k] = vertices(i_2 + k, i, 1);
          taken.at[k] = (k < count) & ((y1[k] > read) != (y2[k] > read));
        }
        if (pyk::any(taken)) {
          const float same = point(0);
          #pragma omp simd
          for (int32_t k = 0; k < 64; ++k) {
            const bool taken_2 =
                taken[k] & (same < (x2[k] - x1[k]) * (read - y1[k]) / (y2[k] - y1[k]) + x1[k]);
            inside.at[k] = inside[k] ^ taken_2;
          }
        }
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k) {
          x1[k] = x2[k];
          y1[k] = y2[k];
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i_2 + k, 0) = inside[k];
    }
  } else {
    for (int64_t i_2 = 0; i_2 < out.shape(0); ++i_2)
      in_polygon_f4_2a_f4_1a_b1_1a<pyk::C>(pyk::view<pyk::C>(vertices, i_2, pyk::all, pyk::all),
                                           point, pyk::view<pyk::C>(out, i_2, pyk::all));
  }
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c_vertices(pyk::array<const float, 2, pyk::C> vertices,
                                pyk::array<const float, 2, pyk::C> point,
                                pyk::array<bool, 2, pyk::C> out) noexcept {
  const bool apart =
      pyk::lanes::disjoint(out, vertices, point) && out.shape(0) <= point.shape(0) &&
      1 < point.shape(1) && 0 < point.shape(1);
  if (apart && out.shape(0) >= 16) {
    for (int64_t i_2 = 0; i_2 < out.shape(0); i_2 += 64) {
      const int32_t count = pyk::min(64, out.shape(0) - i_2);
      pyk::lane<float, 64> kept, kept_2;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        kept[k] = 0.0f;
        kept_2[k] = 0.0f;
      }
      const int64_t n = vertices.shape(0);
      float x1 = vertices(n - 1, 0);
      float y1 = vertices(n - 1, 1);
      const bool same = 1 < point.shape(1);
      const bool same_2 = 0 < point.shape(1);
      pyk::lane<pyk::mask<int32_t>, 64> inside;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k)
        inside.at[k] = false;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        kept[k] = (i_2 + k < point.shape(0)) & same ? point(i_2 + k, 1) : 0.0f;
        kept_2[k] = (i_2 + k < point.shape(0)) & same_2 ? point(i_2 + k, 0) : 0.0f;
      }
      for (int64_t i = 0; i < n; ++i) {
        const float x2 = vertices(i, 0);
        const float y2 = vertices(i, 1);
        const float same_3 = x2 - x1;
        const float same_4 = y2 - y1;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k) {
          const bool taken = (y1 > kept[k]) != (y2 > kept[k]);
          const bool taken_2 = taken & (kept_2[k] < same_3 * (kept[k] - y1) / same_4 + x1);
          inside.at[k] = inside[k] ^ taken_2;
        }
        x1 = x2;
        y1 = y2;
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i_2 + k, 0) = inside[k];
    }
  } else {
    for (int64_t i_2 = 0; i_2 < out.shape(0); ++i_2)
      in_polygon_f4_2a_f4_1a_b1_1a<pyk::C>(vertices, pyk::view<pyk::C>(point, i_2, pyk::all),
                                           pyk::view<pyk::C>(out, i_2, pyk::all));
  }
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c(pyk::array<const float, 3, pyk::C> vertices,
                       pyk::array<const float, 2, pyk::C> point,
                       pyk::array<bool, 2, pyk::C> out) noexcept {
  const bool apart =
      pyk::lanes::disjoint(out, vertices, point) && out.shape(0) <= point.shape(0) &&
      1 < point.shape(1) && 0 < point.shape(1);
  if (apart && out.shape(0) >= 30) {
    for (int64_t i_2 = 0; i_2 < out.shape(0); i_2 += 64) {
      const int32_t count = pyk::min(64, out.shape(0) - i_2);
      const int64_t n = vertices.shape(1);
      const bool same = 1 < point.shape(1);
      const bool same_2 = 0 < point.shape(1);
      pyk::lane<pyk::mask<int32_t>, 64> inside;
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k)
        inside.at[k] = false;
      pyk::lane<float, 64> x1, y1, kept, kept_2;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k) {
        x1[k] = vertices(i_2 + k, n - 1, 0);
        y1[k] = vertices(i_2 + k, n - 1, 1);
        kept[k] = (i_2 + k < point.shape(0)) & same ? point(i_2 + k, 1) : 0.0f;
        kept_2[k] = (i_2 + k < point.shape(0)) & same_2 ? point(i_2 + k, 0) : 0.0f;
      }
      for (int64_t i = 0; i < n; ++i) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k) {
          const float x2 = vertices(i_2 + k, i, 0);
          const float y2 = vertices(i_2 + k, i, 1);
          const bool taken = (y1[k] > kept[k]) != (y2 > kept[k]);
          const bool taken_2 =
              taken & (kept_2[k] < (x2 - x1[k]) * (kept[k] - y1[k]) / (y2 - y1[k]) + x1[k]);
          inside.at[k] = inside[k] ^ taken_2;
          x1[k] = x2;
          y1[k] = y2;
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        out(i_2 + k, 0) = inside[k];
    }
  } else {
    for (int64_t i_2 = 0; i_2 < out.shape(0); ++i_2)
      in_polygon_f4_2a_f4_1a_b1_1a<pyk::C>(pyk::view<pyk::C>(vertices, i_2, pyk::all, pyk::all),
                                           pyk::view<pyk::C>(point, i_2, pyk::all),
                                           pyk::view<pyk::C>(out, i_2, pyk::all));
  }
}

}  // namespace PYK_ISA
