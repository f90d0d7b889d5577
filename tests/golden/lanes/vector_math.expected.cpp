// vector_math.py:8  def logistic(x): …       float64(float64)
double logistic(double x) noexcept {
  return 1.0 / (1.0 + pyk::math::exp(-x));
}

// vector_math.py:8  def logistic(x): …       float64(float64)
static inline double logistic__lanes(double x) noexcept {
  return 1.0 / (1.0 + pyk::lanes::exp(-x));
}

// vector_math.py:13  def apply(x, out): …    void(float64[:], float64[:])
void apply(pyk::array<const double, 1, pyk::A> x, pyk::array<double, 1, pyk::A> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i) {
    const double value = logistic(x(i));
    out(i) = value * pyk::math::log(x(i));
  }
}

// vector_math.py:13  def apply(x, out): …    void(float64[::1], float64[::1])
void apply__c(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i) {
    const double value = logistic__lanes(x(i));
    out(i) = value * pyk::lanes::log(x(i));
  }
}

// vector_math.py:19  def total(x): …         float64(float64[:])
double total(pyk::array<const double, 1, pyk::A> x) noexcept {
  double acc = 0.0;
  for (int64_t value_at = 0; value_at < x.shape(0); ++value_at) {
    const double value = x(value_at);
    acc += pyk::math::exp(value);
  }
  return acc;
}

// vector_math.py:19  def total(x): …         float64(float64[::1])
double total__c(pyk::array<const double, 1, pyk::C> x) noexcept {
  double acc = 0.0;
  for (int64_t value_at = 0; value_at < x.shape(0); ++value_at) {
    const double value = x(value_at);
    acc += pyk::math::exp(value);
  }
  return acc;
}

// vector_math.py:27  def alone(x): …         float64(float64)
double alone(double x) noexcept {
  return logistic(x);
}
