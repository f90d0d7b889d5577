// black_scholes.py:10  def cnd(d): …         float64(float64)
template <class M>
PYK_INLINE_ROOT double cnd(double d) noexcept {
  const double k = 1.0 / (1.0 + 0.2316419 * pyk::abs(d));
  const double poly =
      k *
      (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double value = 0.3989422804014327 * M::exp(-0.5 * d * d) * poly;
  if (d > 0.0) value = 1.0 - value;
  return value;
}
template decltype(cnd<pyk::libm>) cnd<pyk::libm>;

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  pyk::status black_scholes(pyk::array<double, 1, pyk::A> call, pyk::array<double, 1, pyk::A> put,
                            pyk::array<const double, 1, pyk::A> price,
                            pyk::array<const double, 1, pyk::A> strike,
                            pyk::array<const double, 1, pyk::A> years, double rate,
                            double volatility) noexcept;
  pyk::status black_scholes_c(pyk::array<double, 1, pyk::C> call, pyk::array<double, 1, pyk::C> put,
                              pyk::array<const double, 1, pyk::C> price,
                              pyk::array<const double, 1, pyk::C> strike,
                              pyk::array<const double, 1, pyk::C> years, double rate,
                              double volatility) noexcept;
)

// black_scholes.py:22  def black_scholes(call, put, price, strike, years, rate, volatility): …
pyk::status black_scholes(pyk::array<double, 1, pyk::A> call, pyk::array<double, 1, pyk::A> put,
                          pyk::array<const double, 1, pyk::A> price,
                          pyk::array<const double, 1, pyk::A> strike,
                          pyk::array<const double, 1, pyk::A> years, double rate,
                          double volatility) noexcept {
  return PYK_BODY(black_scholes)(call, put, price, strike, years, rate, volatility);
}

// black_scholes.py:22  def black_scholes(call, put, price, strike, years, rate, volatility): …
pyk::status black_scholes_c(pyk::array<double, 1, pyk::C> call, pyk::array<double, 1, pyk::C> put,
                            pyk::array<const double, 1, pyk::C> price,
                            pyk::array<const double, 1, pyk::C> strike,
                            pyk::array<const double, 1, pyk::C> years, double rate,
                            double volatility) noexcept {
  return PYK_BODY(black_scholes_c)(call, put, price, strike, years, rate, volatility);
}
