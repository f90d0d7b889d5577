namespace PYK_ISA {

// black_scholes.py:10  def cnd(d): …         float64(float64)
template <class M>
PYK_INLINE double cnd(double d) noexcept {
  const double k = 1.0 / (1.0 + 0.2316419 * pyk::abs(d));
  const double poly =
      k *
      (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double value = 0.3989422804014327 * M::exp(-0.5 * d * d) * poly;
  if (d > 0.0) value = 1.0 - value;
  return value;
}

// one iteration of black_scholes.py:23  for i in prange(len(call)): …
static inline pyk::status black_scholes_each_i(int64_t i, pyk::array<double, 1, pyk::A> call,
                                               pyk::array<const double, 1, pyk::A> years,
                                               pyk::array<const double, 1, pyk::A> strike,
                                               double volatility,
                                               pyk::array<const double, 1, pyk::A> price,
                                               double rate,
                                               pyk::array<double, 1, pyk::A> put) noexcept {
  const int32_t count = pyk::min(16, call.shape(0) - i);
  pyk::lane<pyk::mask<int32_t>, 16> failed;
  pyk::lane<double, 16> root, divisor, divisor_2;
  #pragma omp simd
  for (int32_t k_2 = 0; k_2 < 16; ++k_2) {
    failed.at[k_2] = false;
    bool alive = k_2 < count;
    root[k_2] = alive ? pyk::math::sqrt(years(i + k_2)) : 0.0;
    divisor[k_2] = alive ? strike(i + k_2) : 0.0;
    const bool taken = alive & (divisor[k_2] == 0.0);
    failed.at[k_2] = failed[k_2] | taken;
    alive = alive & !taken;
    divisor_2[k_2] = volatility * root[k_2];
    const bool taken_2 = alive & (divisor_2[k_2] == 0.0);
    failed.at[k_2] = failed[k_2] | taken_2;
    alive = alive & !taken_2;
  }
  if (pyk::any(failed)) {
    for (int64_t i_2 = i; i_2 < i + count; ++i_2) {
      const double root_2 = pyk::math::sqrt(years(i_2));
      const double divisor_3 = strike(i_2);
      if (divisor_3 == 0.0) return pyk::raise(site::division_25);
      const double divisor_4 = volatility * root_2;
      if (divisor_4 == 0.0) return pyk::raise(site::division_25_2);
      const double d1 =
          (pyk::math::log(price(i_2) / divisor_3) + (rate + 0.5 * volatility * volatility) *
           years(i_2)) / divisor_4;
      const double d2 = d1 - volatility * root_2;
      const double n1 = cnd<pyk::libm>(d1);
      const double n2 = cnd<pyk::libm>(d2);
      const double discount = pyk::math::exp(-rate * years(i_2));
      call(i_2) = price(i_2) * n1 - strike(i_2) * discount * n2;
      put(i_2) = strike(i_2) * discount * (1.0 - n2) - price(i_2) * (1.0 - n1);
    }
  } else {
    const double same = rate + 0.5 * volatility * volatility;
    #pragma omp simd
    for (int32_t k_2 = 0; k_2 < count; ++k_2) {
      const double d1 =
          (pyk::lanes::log(price(i + k_2) / divisor[k_2]) + same * years(i + k_2)) / divisor_2[k_2];
      const double d2 = d1 - volatility * root[k_2];
      const double k = 1.0 / (1.0 + 0.2316419 * pyk::abs(d1));
      const double poly =
          k *
          (0.31938153 + k *
           (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
      double value = 0.3989422804014327 * pyk::lanes::exp(-0.5 * d1 * d1) * poly;
      const bool taken = d1 > 0.0;
      value = pyk::lanes::choose(taken, 1.0 - value, value);
      const double cnd_2 = value;
      const double n1 = cnd_2;
      const double k_3 = 1.0 / (1.0 + 0.2316419 * pyk::abs(d2));
      const double poly_2 =
          k_3 *
          (0.31938153 + k_3 *
           (-0.356563782 + k_3 * (1.781477937 + k_3 * (-1.821255978 + k_3 * 1.330274429))));
      double value_2 = 0.3989422804014327 * pyk::lanes::exp(-0.5 * d2 * d2) * poly_2;
      const bool taken_2 = d2 > 0.0;
      value_2 = pyk::lanes::choose(taken_2, 1.0 - value_2, value_2);
      const double cnd_3 = value_2;
      const double n2 = cnd_3;
      const double discount = pyk::lanes::exp(-rate * years(i + k_2));
      call(i + k_2) = price(i + k_2) * n1 - strike(i + k_2) * discount * n2;
      put(i + k_2) = strike(i + k_2) * discount * (1.0 - n2) - price(i + k_2) * (1.0 - n1);
    }
  }
  return pyk::ok;
}

// black_scholes.py:22  def black_scholes(call, put, price, strike, years, rate, volatility): …
pyk::status black_scholes(pyk::array<double, 1, pyk::A> call, pyk::array<double, 1, pyk::A> put,
                          pyk::array<const double, 1, pyk::A> price,
                          pyk::array<const double, 1, pyk::A> strike,
                          pyk::array<const double, 1, pyk::A> years, double rate,
                          double volatility) noexcept {
  pyk::first_error error;
  #pragma omp parallel for firstprivate(years, strike, price, call, put) if (call.shape(0) > 200)
  for (int64_t i = 0; i < call.shape(0); i += 16)
    if (!error.is_before(i))
      error.keep(i, black_scholes_each_i(i, call, years, strike, volatility, price, rate, put));
  return error.get();
}

// one iteration of black_scholes.py:23  for i in prange(len(call)): …
template <bool kCheck>
PYK_INLINE pyk::status black_scholes_c_step(int64_t i, pyk::array<const double, 1, pyk::C> years,
                                            pyk::array<const double, 1, pyk::C> strike,
                                            double volatility,
                                            pyk::array<const double, 1, pyk::C> price, double rate,
                                            pyk::array<double, 1, pyk::C> call,
                                            pyk::array<double, 1, pyk::C> put) noexcept {
  const double root = pyk::math::sqrt(years(i));
  const double divisor = strike(i);
  if (kCheck && divisor == 0.0) return pyk::raise(site::division_25);
  const double divisor_2 = volatility * root;
  if (kCheck && divisor_2 == 0.0) return pyk::raise(site::division_25_2);
  const double d1 =
      (pyk::lanes::log(price(i) / divisor) + (rate + 0.5 * volatility * volatility) * years(i)) /
      divisor_2;
  const double d2 = d1 - volatility * root;
  const double n1 = cnd<pyk::lane_math>(d1);
  const double n2 = cnd<pyk::lane_math>(d2);
  const double discount = pyk::lanes::exp(-rate * years(i));
  call(i) = price(i) * n1 - strike(i) * discount * n2;
  put(i) = strike(i) * discount * (1.0 - n2) - price(i) * (1.0 - n1);
  return pyk::ok;
}

// a portion of black_scholes.py:23  for i in prange(len(call)): …
static inline pyk::status black_scholes_c_portion(int64_t first, pyk::array<double, 1, pyk::C> call,
                                                  bool apart,
                                                  pyk::array<const double, 1, pyk::C> years,
                                                  pyk::array<const double, 1, pyk::C> strike,
                                                  double volatility,
                                                  pyk::array<const double, 1, pyk::C> price,
                                                  double rate,
                                                  pyk::array<double, 1, pyk::C> put) noexcept {
  const int64_t last = pyk::min(first + 256, call.shape(0));
  bool checked = last - first < 8 || !apart;
  if (!checked) {
    #pragma omp simd reduction(| : checked)
    for (int64_t i = first; i < last; ++i) {
      const double root = pyk::math::sqrt(years(i));
      checked |= strike(i) == 0.0;
      checked |= volatility * root == 0.0;
    }
  }
  if (checked) {
    for (int64_t i = first; i < last; ++i)
      if (const auto status = black_scholes_c_step<true>(
              i, years, strike, volatility, price, rate, call, put)) return status;
  } else {
    #pragma omp simd
    for (int64_t i = first; i < last; ++i)
      pyk::surely(black_scholes_c_step<false>(i, years, strike, volatility, price, rate, call,
                                              put));
  }
  return pyk::ok;
}

// black_scholes.py:22  def black_scholes(call, put, price, strike, years, rate, volatility): …
pyk::status black_scholes_c(pyk::array<double, 1, pyk::C> call, pyk::array<double, 1, pyk::C> put,
                            pyk::array<const double, 1, pyk::C> price,
                            pyk::array<const double, 1, pyk::C> strike,
                            pyk::array<const double, 1, pyk::C> years, double rate,
                            double volatility) noexcept {
  const bool apart =
      pyk::lanes::disjoint(call, put, years, strike, price) &&
      pyk::lanes::disjoint(put, years, strike, price) && call.shape(0) <= years.shape(0) &&
      call.shape(0) <= strike.shape(0);
  pyk::first_error error;
  #pragma omp parallel for firstprivate(years, strike, price, call, put) if (call.shape(0) > 200)
  for (int64_t first = 0; first < call.shape(0); first += 256)
    if (!error.is_before(first))
      error.keep(first,
                 black_scholes_c_portion(first, call, apart, years, strike, volatility, price, rate,
                                         put));
  return error.get();
}

}  // namespace PYK_ISA
