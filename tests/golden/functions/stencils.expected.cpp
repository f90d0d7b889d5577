// stencils.py:6  def smooth(a, scale): …     float64[:,:](float32[:,::1], float64, float64[:,:])
template <class L>
pyk::status smooth_f4_2c_f8_f8_2c(pyk::array<const float, 2, pyk::C> a, double scale,
                                  pyk::array<double, 2, L> out,
                                  pyk::owned<double, 2, L>& result) noexcept {
  if (out.shape(0) < a.shape(0) || out.shape(1) < a.shape(1)) return pyk::raise(site::value_6);
  pyk::fill(out, 1.0);
  for (int64_t i = 0; i < a.shape(0) - 1; ++i)
    for (int64_t j = 1; j < a.shape(1); ++j)
      out(i, j) = scale * (a(i, j - 1) + a(i, j) + a(i + 1, j));
  result = out;
  return pyk::ok;
}
PYK_LAYOUTS(smooth_f4_2c_f8_f8_2c);

// stencils.py:6  def smooth(a, scale): …     float64[:,::1](float32[:,::1], float64)
pyk::status smooth_f4_2c_f8_n(pyk::array<const float, 2, pyk::C> a, double scale,
                              pyk::owned<double, 2, pyk::C>& result) noexcept {
  auto array = pyk::empty_in<double, pyk::C>(result, a.shape(0), a.shape(1));
  if (!array.is_valid()) return pyk::no_memory;
  pyk::fill(pyk::view<pyk::C>(array, pyk::from(-1), pyk::all), 1.0);
  pyk::fill(pyk::view<pyk::A>(array, pyk::all, pyk::until(1)), 1.0);
  for (int64_t i = 0; i < a.shape(0) - 1; ++i)
    for (int64_t j = 1; j < a.shape(1); ++j)
      array(i, j) = scale * (a(i, j - 1) + a(i, j) + a(i + 1, j));
  result = std::move(array);
  return pyk::ok;
}

// stencils.py:6  def smooth(a, scale): …     float64[:,:](float32[:,::1], float64, float64[:,::1])
pyk::status smooth_f4_2c_f8_f8_2a_c(pyk::array<const float, 2, pyk::C> a, double scale,
                                    pyk::array<double, 2, pyk::C> out,
                                    pyk::owned<double, 2, pyk::A>& result) noexcept {
  if (out.shape(0) < a.shape(0) || out.shape(1) < a.shape(1)) return pyk::raise(site::value_6);
  pyk::fill(out, 1.0);
  for (int64_t i = 0; i < a.shape(0) - 1; ++i)
    for (int64_t j = 1; j < a.shape(1); ++j)
      out(i, j) = scale * (a(i, j - 1) + a(i, j) + a(i + 1, j));
  result = out;
  return pyk::ok;
}

// stencils.py:11  def run(a, out): …         float64[:,:](float32[:,::1], float64[:,::1])
pyk::status run(pyk::array<const float, 2, pyk::C> a, pyk::array<double, 2, pyk::C> out,
                pyk::owned<double, 2, pyk::A>& result) noexcept {
  pyk::owned<double, 2, pyk::C> unused{};
  if (const auto status = smooth_f4_2c_f8_f8_2c<pyk::C>(a, 0.5, out, unused)) return status;
  pyk::owned<double, 2, pyk::C> result_2{};
  if (const auto status = smooth_f4_2c_f8_n(a, 0.25, result_2)) return status;
  result = std::move(result_2);
  return pyk::ok;
}
