// row_sums.py:9  def totals(a, out): …       void(float64[:,::1], float64[::1])
void totals(pyk::array<const double, 2, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, a);
  if (apart) {
    const int64_t i_rest = a.shape(0) - a.shape(0) % 4;
    for (int64_t i = 0; i < i_rest; i += 4) {
      double total = 0.0;
      double total_2 = 0.0;
      double total_3 = 0.0;
      double total_4 = 0.0;
      for (int64_t j = 0; j < a.shape(1); ++j) {
        total += a(i, j);
        total_2 += a(i + 1, j);
        total_3 += a(i + 2, j);
        total_4 += a(i + 3, j);
      }
      out(i) = total;
      out(i + 1) = total_2;
      out(i + 2) = total_3;
      out(i + 3) = total_4;
    }
    for (int64_t i = i_rest; i < a.shape(0); ++i) {
      double total = 0.0;
      for (int64_t j = 0; j < a.shape(1); ++j)
        total += a(i, j);
      out(i) = total;
    }
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      double total = 0.0;
      for (int64_t j = 0; j < a.shape(1); ++j)
        total += a(i, j);
      out(i) = total;
    }
  }
}

// row_sums.py:18  def layer_norm(x, scale, out): …
//     void(float32[:,::1], float32[::1], float32[:,::1])
pyk::status layer_norm(pyk::array<const float, 2, pyk::C> x,
                       pyk::array<const float, 1, pyk::C> scale,
                       pyk::array<float, 2, pyk::C> out) noexcept {
  const int64_t n = x.shape(0);
  const int64_t m = x.shape(1);
  const bool apart = m != 0.0f && n <= x.shape(0) && pyk::lanes::disjoint(out, x, scale);
  if (apart) {
    const int64_t i_rest = n - n % 4;
    for (int64_t i = 0; i < i_rest; i += 4) {
      float total = 0.0f;
      float total_2 = 0.0f;
      float total_3 = 0.0f;
      float total_4 = 0.0f;
      for (int64_t j = 0; j < m; ++j) {
        total += x(i, j);
        total_2 += x(i + 1, j);
        total_3 += x(i + 2, j);
        total_4 += x(i + 3, j);
      }
      const float divisor = m;
      const float divisor_2 = m;
      const float divisor_3 = m;
      const float divisor_4 = m;
      const float mean = total / divisor;
      const float mean_2 = total_2 / divisor_2;
      const float mean_3 = total_3 / divisor_3;
      const float mean_4 = total_4 / divisor_4;
      float spread = 0.0f;
      float spread_2 = 0.0f;
      float spread_3 = 0.0f;
      float spread_4 = 0.0f;
      for (int64_t j = 0; j < m; ++j) {
        const float off = x(i, j) - mean;
        const float off_2 = x(i + 1, j) - mean_2;
        const float off_3 = x(i + 2, j) - mean_3;
        const float off_4 = x(i + 3, j) - mean_4;
        spread = pyk::in_order(spread + off * off);
        spread_2 = pyk::in_order(spread_2 + off_2 * off_2);
        spread_3 = pyk::in_order(spread_3 + off_3 * off_3);
        spread_4 = pyk::in_order(spread_4 + off_4 * off_4);
      }
      float divisor_5 = m;
      float divisor_6 = pyk::np::sqrt(spread / divisor_5);
      if (divisor_6 == 0.0f) return pyk::raise(site::division_30);
      float factor = 1.0f / divisor_6;
      #pragma omp simd
      for (int64_t j = 0; j < m; ++j)
        out(i, j) = (x(i, j) - mean) * factor * scale(j);
      divisor_5 = m;
      divisor_6 = pyk::np::sqrt(spread_2 / divisor_5);
      if (divisor_6 == 0.0f) return pyk::raise(site::division_30);
      factor = 1.0f / divisor_6;
      #pragma omp simd
      for (int64_t j = 0; j < m; ++j)
        out(i + 1, j) = (x(i + 1, j) - mean_2) * factor * scale(j);
      divisor_5 = m;
      divisor_6 = pyk::np::sqrt(spread_3 / divisor_5);
      if (divisor_6 == 0.0f) return pyk::raise(site::division_30);
      factor = 1.0f / divisor_6;
      #pragma omp simd
      for (int64_t j = 0; j < m; ++j)
        out(i + 2, j) = (x(i + 2, j) - mean_3) * factor * scale(j);
      divisor_5 = m;
      divisor_6 = pyk::np::sqrt(spread_4 / divisor_5);
      if (divisor_6 == 0.0f) return pyk::raise(site::division_30);
      factor = 1.0f / divisor_6;
      #pragma omp simd
      for (int64_t j = 0; j < m; ++j)
        out(i + 3, j) = (x(i + 3, j) - mean_4) * factor * scale(j);
    }
    for (int64_t i = i_rest; i < n; ++i) {
      float total = 0.0f;
      for (int64_t j = 0; j < m; ++j)
        total += x(i, j);
      const float divisor = m;
      const float mean = total / divisor;
      float spread = 0.0f;
      for (int64_t j = 0; j < m; ++j) {
        const float off = x(i, j) - mean;
        spread = pyk::in_order(spread + off * off);
      }
      const float divisor_2 = m;
      const float divisor_3 = pyk::np::sqrt(spread / divisor_2);
      if (divisor_3 == 0.0f) return pyk::raise(site::division_30);
      const float factor = 1.0f / divisor_3;
      #pragma omp simd
      for (int64_t j = 0; j < m; ++j)
        out(i, j) = (x(i, j) - mean) * factor * scale(j);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      float total = 0.0f;
      for (int64_t j = 0; j < m; ++j)
        total += x(i, j);
      const float divisor = m;
      if (divisor == 0.0f) return pyk::raise(site::division_25);
      const float mean = total / divisor;
      float spread = 0.0f;
      for (int64_t j = 0; j < m; ++j) {
        const float off = x(i, j) - mean;
        spread = pyk::in_order(spread + off * off);
      }
      const float divisor_2 = m;
      if (divisor_2 == 0.0f) return pyk::raise(site::division_30_2);
      const float divisor_3 = pyk::np::sqrt(spread / divisor_2);
      if (divisor_3 == 0.0f) return pyk::raise(site::division_30);
      const float factor = 1.0f / divisor_3;
      for (int64_t j = 0; j < m; ++j)
        out(i, j) = (x(i, j) - mean) * factor * scale(j);
    }
  }
  return pyk::ok;
}

// row_sums.py:36  def nearest(points, to): …    int64(float64[:,::1], float64[::1])
int64_t nearest(pyk::array<const double, 2, pyk::C> points,
                pyk::array<const double, 1, pyk::C> to) noexcept {
  int64_t best = 0;
  double least = pyk::infinity<double>;
  const int64_t i_rest = points.shape(0) - points.shape(0) % 4;
  for (int64_t i = 0; i < i_rest; i += 4) {
    double distance = 0.0;
    double distance_2 = 0.0;
    double distance_3 = 0.0;
    double distance_4 = 0.0;
    for (int64_t j = 0; j < points.shape(1); ++j) {
      distance = pyk::in_order(distance + pyk::abs(points(i, j) - to(j)));
      distance_2 = pyk::in_order(distance_2 + pyk::abs(points(i + 1, j) - to(j)));
      distance_3 = pyk::in_order(distance_3 + pyk::abs(points(i + 2, j) - to(j)));
      distance_4 = pyk::in_order(distance_4 + pyk::abs(points(i + 3, j) - to(j)));
    }
    bool taken = distance < least;
    least = taken ? distance : least;
    best = taken ? i : best;
    taken = distance_2 < least;
    least = taken ? distance_2 : least;
    best = taken ? i + 1 : best;
    taken = distance_3 < least;
    least = taken ? distance_3 : least;
    best = taken ? i + 2 : best;
    taken = distance_4 < least;
    least = taken ? distance_4 : least;
    best = taken ? i + 3 : best;
  }
  for (int64_t i = i_rest; i < points.shape(0); ++i) {
    double distance = 0.0;
    for (int64_t j = 0; j < points.shape(1); ++j)
      distance = pyk::in_order(distance + pyk::abs(points(i, j) - to(j)));
    const bool taken = distance < least;
    least = taken ? distance : least;
    best = taken ? i : best;
  }
  return best;
}

// row_sums.py:51  def smooth(x, share, y): …    void(float64[:,::1], float64, float64[:,::1])
void smooth(pyk::array<const double, 2, pyk::C> x, double share,
            pyk::array<double, 2, pyk::C> y) noexcept {
  const bool apart = pyk::lanes::disjoint(y, x);
  if (apart) {
    const int64_t i_rest = x.shape(0) - x.shape(0) % 8;
    for (int64_t i = 0; i < i_rest; i += 8) {
      y(i, 0) = x(i, 0);
      y(i + 1, 0) = x(i + 1, 0);
      y(i + 2, 0) = x(i + 2, 0);
      y(i + 3, 0) = x(i + 3, 0);
      y(i + 4, 0) = x(i + 4, 0);
      y(i + 5, 0) = x(i + 5, 0);
      y(i + 6, 0) = x(i + 6, 0);
      y(i + 7, 0) = x(i + 7, 0);
      double last = 1 < x.shape(1) ? y(i, 0) : 0.0;
      double last_2 = 1 < x.shape(1) ? y(i + 1, 0) : 0.0;
      double last_3 = 1 < x.shape(1) ? y(i + 2, 0) : 0.0;
      double last_4 = 1 < x.shape(1) ? y(i + 3, 0) : 0.0;
      double last_5 = 1 < x.shape(1) ? y(i + 4, 0) : 0.0;
      double last_6 = 1 < x.shape(1) ? y(i + 5, 0) : 0.0;
      double last_7 = 1 < x.shape(1) ? y(i + 6, 0) : 0.0;
      double last_8 = 1 < x.shape(1) ? y(i + 7, 0) : 0.0;
      for (int64_t j = 1; j < x.shape(1); ++j) {
        last = share * x(i, j) + (1.0 - share) * last;
        last_2 = share * x(i + 1, j) + (1.0 - share) * last_2;
        last_3 = share * x(i + 2, j) + (1.0 - share) * last_3;
        last_4 = share * x(i + 3, j) + (1.0 - share) * last_4;
        last_5 = share * x(i + 4, j) + (1.0 - share) * last_5;
        last_6 = share * x(i + 5, j) + (1.0 - share) * last_6;
        last_7 = share * x(i + 6, j) + (1.0 - share) * last_7;
        last_8 = share * x(i + 7, j) + (1.0 - share) * last_8;
        y(i, j) = last;
        y(i + 1, j) = last_2;
        y(i + 2, j) = last_3;
        y(i + 3, j) = last_4;
        y(i + 4, j) = last_5;
        y(i + 5, j) = last_6;
        y(i + 6, j) = last_7;
        y(i + 7, j) = last_8;
      }
    }
    for (int64_t i = i_rest; i < x.shape(0); ++i) {
      y(i, 0) = x(i, 0);
      double last = 1 < x.shape(1) ? y(i, 0) : 0.0;
      for (int64_t j = 1; j < x.shape(1); ++j) {
        last = share * x(i, j) + (1.0 - share) * last;
        y(i, j) = last;
      }
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      y(i, 0) = x(i, 0);
      for (int64_t j = 1; j < x.shape(1); ++j)
        y(i, j) = share * x(i, j) + (1.0 - share) * y(i, j - 1);
    }
  }
}

// row_sums.py:60  def horner(coefficients, x): …    void(float64[:,::1], float64[::1])
void horner(pyk::array<const double, 2, pyk::C> coefficients,
            pyk::array<double, 1, pyk::C> x) noexcept {
  if (coefficients.shape(0) >= 28) {
    #pragma omp parallel for firstprivate(coefficients, x) \
        if (double(coefficients.shape(0)) * coefficients.shape(1) > 6000.0)
    for (int64_t i = 0; i < coefficients.shape(0); i += 32) {
      const int32_t count = pyk::min(32, coefficients.shape(0) - i);
      pyk::lane<double, 32> value;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k)
        value[k] = 0.0;
      pyk::lane<double, 32> kept;
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        kept[k] = i + k < x.shape(0) ? x(i + k) : 0.0;
      for (int64_t j = 0; j < coefficients.shape(1); ++j) {
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          value[k] = value[k] * kept[k] + coefficients(i + k, j);
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        x(i + k) = value[k];
    }
  } else {
    #pragma omp parallel for firstprivate(coefficients, x) \
        if (double(coefficients.shape(0)) * coefficients.shape(1) > 6000.0)
    for (int64_t i = 0; i < coefficients.shape(0); ++i) {
      double value = 0.0;
      for (int64_t j = 0; j < coefficients.shape(1); ++j)
        value = value * x(i) + coefficients(i, j);
      x(i) = value;
    }
  }
}

// row_sums.py:69  def times(m, x): …         float64[:](float64[:,::1], float64[::1])
pyk::status times(pyk::array<const double, 2, pyk::C> m, pyk::array<const double, 1, pyk::C> x,
                  pyk::owned<double, 1, pyk::A>& result) noexcept {
  if (m.shape(1) != x.shape(0)) return pyk::raise(site::value_71);
  auto array = pyk::empty<double, pyk::C>(m.shape(0));
  if (!array.is_valid()) return pyk::no_memory;
  pyk::lanes::product(array, m, x);
  result = std::move(array);
  return pyk::ok;
}

// row_sums.py:75  def of_parts(a, sums, products): …
//     void(complex128[:,::1], complex128[::1], complex128[::1])
void of_parts(pyk::array<const pyk::complex<double>, 2, pyk::C> a,
              pyk::array<pyk::complex<double>, 1, pyk::C> sums,
              pyk::array<pyk::complex<double>, 1, pyk::C> products) noexcept {
  const bool apart = pyk::lanes::disjoint(sums, a);
  if (apart) {
    const int64_t i_rest = a.shape(0) - a.shape(0) % 4;
    for (int64_t i = 0; i < i_rest; i += 4) {
      pyk::complex<double> s{0.0, 0.0};
      pyk::complex<double> s_2{0.0, 0.0};
      pyk::complex<double> s_3{0.0, 0.0};
      pyk::complex<double> s_4{0.0, 0.0};
      for (int64_t j = 0; j < a.shape(1); ++j) {
        s = pyk::in_order(s + a(i, j));
        s_2 = pyk::in_order(s_2 + a(i + 1, j));
        s_3 = pyk::in_order(s_3 + a(i + 2, j));
        s_4 = pyk::in_order(s_4 + a(i + 3, j));
      }
      sums(i) = s;
      sums(i + 1) = s_2;
      sums(i + 2) = s_3;
      sums(i + 3) = s_4;
    }
    for (int64_t i = i_rest; i < a.shape(0); ++i) {
      pyk::complex<double> s{0.0, 0.0};
      for (int64_t j = 0; j < a.shape(1); ++j)
        s = pyk::in_order(s + a(i, j));
      sums(i) = s;
    }
  } else {
    for (int64_t i = 0; i < a.shape(0); ++i) {
      pyk::complex<double> s{0.0, 0.0};
      for (int64_t j = 0; j < a.shape(1); ++j)
        s = pyk::in_order(s + a(i, j));
      sums(i) = s;
    }
  }
  for (int64_t i = 0; i < a.shape(0); ++i) {
    pyk::complex<double> s{1.0, 0.0};
    for (int64_t j = 0; j < a.shape(1); ++j)
      s *= a(i, j);
    products(i) = s;
  }
}
