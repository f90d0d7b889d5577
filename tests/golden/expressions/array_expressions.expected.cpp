// array_expressions.py:7  def saxpy(x, y, a): …
//     float64[::1](float64[::1], float64[::1], float64)
pyk::status saxpy(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> y,
                  double a, pyk::owned<double, 1, pyk::C>& result) noexcept {
  const int64_t n = pyk::extent_of_both(x.shape(0), y.shape(0));
  if (!(pyk::broadcasts(x, n) && pyk::broadcasts(y, n))) return pyk::raise(site::value_8);
  const auto x_2 = pyk::fitted(x, n);
  if (!x_2.is_valid()) return pyk::no_memory;
  const auto y_2 = pyk::fitted(y, n);
  if (!y_2.is_valid()) return pyk::no_memory;
  auto array = pyk::empty<double, pyk::C>(n);
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i)
    array(i) = a * x_2(i) + y_2(i);
  result = std::move(array);
  return pyk::ok;
}

// array_expressions.py:12  def jacobi(u, v): …    void(float64[:,::1], float64[:,::1])
pyk::status jacobi(pyk::array<const double, 2, pyk::C> u,
                   pyk::array<double, 2, pyk::C> v) noexcept {
  const auto operand = pyk::view<pyk::A>(u, pyk::until(-2), pyk::slice(1, -1));
  const auto operand_2 = pyk::view<pyk::A>(u, pyk::from(2), pyk::slice(1, -1));
  const auto operand_3 = pyk::view<pyk::A>(u, pyk::slice(1, -1), pyk::until(-2));
  const auto operand_4 = pyk::view<pyk::A>(u, pyk::slice(1, -1), pyk::from(2));
  const auto v_2 = pyk::view<pyk::A>(v, pyk::slice(1, -1), pyk::slice(1, -1));
  if (!(pyk::broadcasts(operand, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_2, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_3, v_2.shape(0), v_2.shape(1)) &&
        pyk::broadcasts(operand_4, v_2.shape(0), v_2.shape(1))))
    return pyk::raise(site::value_13);
  const auto operand_5 = pyk::fitted_to(operand, v_2);
  if (!operand_5.is_valid()) return pyk::no_memory;
  const auto operand_6 = pyk::fitted_to(operand_2, v_2);
  if (!operand_6.is_valid()) return pyk::no_memory;
  const auto operand_7 = pyk::fitted_to(operand_3, v_2);
  if (!operand_7.is_valid()) return pyk::no_memory;
  const auto operand_8 = pyk::fitted_to(operand_4, v_2);
  if (!operand_8.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < v_2.shape(0); ++i)
    for (int64_t j = 0; j < v_2.shape(1); ++j)
      v_2(i, j) = 0.25 * (operand_5(i, j) + operand_6(i, j) + operand_7(i, j) + operand_8(i, j));
  return pyk::ok;
}

// array_expressions.py:17  def rows(a, w): …    void(float64[:,::1], float64[::1])
pyk::status rows(pyk::array<double, 2, pyk::C> a, pyk::array<const double, 1, pyk::C> w) noexcept {
  if (!pyk::broadcasts(w, a.shape(0), a.shape(1))) return pyk::raise(site::value_18);
  const auto w_2 = pyk::fitted_to(w, a);
  if (!w_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < a.shape(0); ++i)
    for (int64_t j = 0; j < a.shape(1); ++j)
      a(i, j) = a(i, j) * w_2(j);
  const auto a_2 = pyk::view<pyk::C>(a, 0, pyk::all);
  const auto operand = pyk::view<pyk::C>(a, 1, pyk::all);
  if (!pyk::broadcasts(operand, a_2.shape(0))) return pyk::raise(site::value_19);
  const auto operand_2 = pyk::fitted_to(operand, a_2);
  if (!operand_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < a_2.shape(0); ++i)
    a_2(i) = a_2(i) - operand_2(i);
  return pyk::ok;
}

// array_expressions.py:23  def distance(a, b): …    float64(float64[::1], float64[::1])
pyk::status distance(pyk::array<const double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b,
                     double& result) noexcept {
  const int64_t n = pyk::extent_of_both(a.shape(0), b.shape(0));
  if (!(pyk::broadcasts(a, n) && pyk::broadcasts(b, n))) return pyk::raise(site::value_24);
  const auto a_2 = pyk::fitted(a, n);
  if (!a_2.is_valid()) return pyk::no_memory;
  const auto b_2 = pyk::fitted(b, n);
  if (!b_2.is_valid()) return pyk::no_memory;
  double total = 0.0;
  int64_t done = 0;
  if (n >= 64) {
    pyk::lane<double, 16> parts;
    #pragma omp simd
    for (int32_t k = 0; k < 16; ++k)
      parts[k] = 0.0;
    for (int64_t first = 0; first < n - 15; first += 16) {
      #pragma omp simd
      for (int32_t k = 0; k < 16; ++k) {
        const int64_t i = first + k;
        const double x = a_2(i) - b_2(i);
        parts[k] += x * x;
      }
    }
    total += pyk::total(parts);
    done = n - n % 16;
  }
  for (int64_t i = done; i < n; ++i) {
    const double x = a_2(i) - b_2(i);
    total = pyk::in_order(total + x * x);
  }
  result = pyk::np::sqrt(total);
  return pyk::ok;
}

// array_expressions.py:28  def product(a, b): …    float32[:,::1](float32[:,::1], float32[:,::1])
pyk::status product(pyk::array<const float, 2, pyk::C> a, pyk::array<const float, 2, pyk::C> b,
                    pyk::owned<float, 2, pyk::C>& result) noexcept {
  if (a.shape(1) != b.shape(0)) return pyk::raise(site::value_29);
  auto array = pyk::empty<float, pyk::C>(a.shape(0), b.shape(1));
  if (!array.is_valid()) return pyk::no_memory;
  pyk::lanes::product(array, a, b);
  const auto [n, n_2] = array.shape();
  auto array_2 = pyk::empty<float, pyk::C>(n, n_2);
  if (!array_2.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n_2; ++j)
      array_2(i, j) = pyk::min(pyk::max(double(array(i, j)), 0.0), 1.0);
  result = std::move(array_2);
  return pyk::ok;
}

// array_expressions.py:33  def square(a): …    float64[:,::1](float64[::1])
pyk::status square(pyk::array<const double, 1, pyk::C> a,
                   pyk::owned<double, 2, pyk::C>& result) noexcept {
  const int64_t n = a.shape(0);
  auto array = pyk::empty<double, pyk::C>(n);
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i) {
    const double x = a(i);
    array(i) = x > 0.5 ? x : 0.0;
  }
  const int64_t extent = pyk::extent_left(array, int64_t(2));
  if (!pyk::has_shape(array, extent, int64_t(2))) return pyk::raise(site::value_34);
  result = pyk::share(pyk::reshaped(array, extent, int64_t(2)), array);
  return pyk::ok;
}
