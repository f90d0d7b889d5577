// vectorize.py:7  def hypot(x, y): …         float32(float32, float32)
PYK_INLINE float hypot_f4_f4(float x, float y) noexcept {
  return pyk::math::sqrt(x * x + y * y);
}

// loop of vectorize.py:7  def hypot(x, y): …
template <class L>
void hypot_f4_f4_loop(pyk::array<const float, 1, L> x, pyk::array<const float, 1, L> y,
                      pyk::array<float, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f4_f4(x(i), y(i));
}
PYK_LAYOUTS(hypot_f4_f4_loop);

// loop of vectorize.py:7  def hypot(x, y): …
void hypot_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> x, float y,
                          pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f4_f4(x(i), y);
}

// loop of vectorize.py:7  def hypot(x, y): …
void hypot_f4_f4_loop_c_x(float x, pyk::array<const float, 1, pyk::C> y,
                          pyk::array<float, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f4_f4(x, y(i));
}

// vectorize.py:7  def hypot(x, y): …         float64(float64, float64)
PYK_INLINE double hypot_f8_f8(double x, double y) noexcept {
  return pyk::math::sqrt(x * x + y * y);
}

// loop of vectorize.py:7  def hypot(x, y): …
template <class L>
void hypot_f8_f8_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                      pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f8_f8(x(i), y(i));
}
PYK_LAYOUTS(hypot_f8_f8_loop);

// loop of vectorize.py:7  def hypot(x, y): …
void hypot_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                          pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f8_f8(x(i), y);
}

// loop of vectorize.py:7  def hypot(x, y): …
void hypot_f8_f8_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                          pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    out(i) = hypot_f8_f8(x, y(i));
}

// vectorize.py:12  def root(x): …            float64(float64)
static inline pyk::status root(double x, double& result) noexcept {
  if (x < 0.0) return pyk::raise(site::value_14, x);
  result = pyk::math::sqrt(x);
  return pyk::ok;
}

// loop of vectorize.py:12  def root(x): …
template <class L>
pyk::status root_loop(pyk::array<const double, 1, L> x, pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i) {
    double value;
    if (const auto status = root(x(i), value)) return status;
    out(i) = value;
  }
  return pyk::ok;
}
PYK_LAYOUTS(root_loop);
