// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,:], float64[:,:])
double jacobi(pyk::array<const double, 2, pyk::A> a, pyk::array<double, 2, pyk::A> b) noexcept {
  double error = 0.0;
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}

// jacobi.py:6  def jacobi(a, b): …           float64(float64[:,::1], float64[:,::1])
double jacobi__c(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 2, pyk::C> b) noexcept {
  double error = 0.0;
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,:], float64[:,:])
double jacobi_parallel(pyk::array<const double, 2, pyk::A> a,
    pyk::array<double, 2, pyk::A> b) noexcept {
  double error = 0.0;
  #pragma omp parallel for firstprivate(a, b) reduction(max : error) \
      if ((a.shape(0) - 1) * (a.shape(1) - 1) > 2000)
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,::1], float64[:,::1])
double jacobi_parallel__c(pyk::array<const double, 2, pyk::C> a,
    pyk::array<double, 2, pyk::C> b) noexcept {
  double error = 0.0;
  #pragma omp parallel for firstprivate(a, b) reduction(max : error) \
      if ((a.shape(0) - 1) * (a.shape(1) - 1) > 2000)
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}
