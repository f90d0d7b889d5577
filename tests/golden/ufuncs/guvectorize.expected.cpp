// guvectorize.py:5  def shifted(x, by, out): …    void(float64[:], float64, float64[:])
template <class L>
static inline void shifted_f8_1a_f8_f8_1a(pyk::array<const double, 1, L> x, double by,
                                          pyk::array<double, 1, L> out) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    out(i) = x(i) + by;
}

// loop of guvectorize.py:5  def shifted(x, by, out): …
template <class L>
void shifted_loop(pyk::array<const double, 2, L> x, pyk::array<const double, 1, L> by,
                  pyk::array<double, 2, L> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    shifted_f8_1a_f8_f8_1a<L>(pyk::view<L>(x, i, pyk::all), by(i), pyk::view<L>(out, i, pyk::all));
}
PYK_LAYOUTS(shifted_loop);

// loop of guvectorize.py:5  def shifted(x, by, out): …
void shifted_loop_c_by(pyk::array<const double, 2, pyk::C> x, double by,
                       pyk::array<double, 2, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    shifted_f8_1a_f8_f8_1a<pyk::C>(pyk::view<pyk::C>(x, i, pyk::all), by,
                                   pyk::view<pyk::C>(out, i, pyk::all));
}

// loop of guvectorize.py:5  def shifted(x, by, out): …
void shifted_loop_c_x(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> by,
                      pyk::array<double, 2, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i)
    shifted_f8_1a_f8_f8_1a<pyk::C>(x, by(i), pyk::view<pyk::C>(out, i, pyk::all));
}
