// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  pyk::status histogram(pyk::array<const double, 1, pyk::A> values, double low, double high,
                        int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept;
  pyk::status histogram_c(pyk::array<const double, 1, pyk::C> values, double low, double high,
                          int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept;
)

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[:], float64, float64, int64)
pyk::status histogram(pyk::array<const double, 1, pyk::A> values, double low, double high,
                      int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  return PYK_BODY(histogram)(values, low, high, bins, result);
}

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[::1], float64, float64, int64)
pyk::status histogram_c(pyk::array<const double, 1, pyk::C> values, double low, double high,
                        int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  return PYK_BODY(histogram_c)(values, low, high, bins, result);
}
