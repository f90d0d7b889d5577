namespace PYK_ISA {

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
double jacobi_c(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 2, pyk::C> b) noexcept {
  double error = 0.0;
  const bool apart = pyk::lanes::disjoint(b, a) && a.shape(1) - 1 - 1 >= 64;
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    if (apart) {
      const int64_t j_rest = a.shape(1) - 1 - (a.shape(1) - 1 - 1) % 32;
      pyk::lane<double, 32> error_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        error_2[k] = error;
      for (int64_t j = 1; j < j_rest; j += 32) {
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k) {
          b(i, j + k) =
              0.25 * (a(i, j + k + 1) + a(i, j + k - 1) + a(i - 1, j + k) + a(i + 1, j + k));
          error_2[k] = pyk::max(error_2[k], pyk::abs(b(i, j + k) - a(i, j + k)));
        }
      }
      for (int32_t k = 0; k < 32; ++k)
        error = pyk::max(error, error_2[k]);
      for (int64_t j = j_rest; j < a.shape(1) - 1; ++j) {
        b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
        error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
      }
    } else {
      for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
        b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
        error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
      }
    }
  }
  return error;
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,:], float64[:,:])
double jacobi_parallel(pyk::array<const double, 2, pyk::A> a,
                       pyk::array<double, 2, pyk::A> b) noexcept {
  double error = 0.0;
  #pragma omp parallel for firstprivate(a, b) reduction(max : error) \
      if (double(a.shape(0) - 1) * (a.shape(1) - 1) > 2000.0)
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
      b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
      error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
    }
  }
  return error;
}

// jacobi.py:16  def jacobi_parallel(a, b): …    float64(float64[:,::1], float64[:,::1])
double jacobi_parallel_c(pyk::array<const double, 2, pyk::C> a,
                         pyk::array<double, 2, pyk::C> b) noexcept {
  double error = 0.0;
  const bool apart = pyk::lanes::disjoint(b, a) && a.shape(1) - 1 - 1 >= 64;
  #pragma omp parallel for firstprivate(a, b) reduction(max : error) \
      if (double(a.shape(0) - 1) * (a.shape(1) - 1) > 2000.0)
  for (int64_t i = 1; i < a.shape(0) - 1; ++i) {
    if (apart) {
      const int64_t j_rest = a.shape(1) - 1 - (a.shape(1) - 1 - 1) % 32;
      pyk::lane<double, 32> error_2;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        error_2[k] = error;
      for (int64_t j = 1; j < j_rest; j += 32) {
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k) {
          b(i, j + k) =
              0.25 * (a(i, j + k + 1) + a(i, j + k - 1) + a(i - 1, j + k) + a(i + 1, j + k));
          error_2[k] = pyk::max(error_2[k], pyk::abs(b(i, j + k) - a(i, j + k)));
        }
      }
      for (int32_t k = 0; k < 32; ++k)
        error = pyk::max(error, error_2[k]);
      for (int64_t j = j_rest; j < a.shape(1) - 1; ++j) {
        b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
        error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
      }
    } else {
      for (int64_t j = 1; j < a.shape(1) - 1; ++j) {
        b(i, j) = 0.25 * (a(i, j + 1) + a(i, j - 1) + a(i - 1, j) + a(i + 1, j));
        error = pyk::max(error, pyk::abs(b(i, j) - a(i, j)));
      }
    }
  }
  return error;
}

}  // namespace PYK_ISA
