// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  pyk::status histogram(pyk::array<const double, 1, L> values, double low, double high,
                        int64_t bins, pyk::owned<int64_t, 1, pyk::C>& result) noexcept;
)

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[:], float64, float64, int64)
template <class L>
pyk::status histogram(pyk::array<const double, 1, L> values, double low, double high, int64_t bins,
                      pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  return PYK_BODY(histogram<L>)(values, low, high, bins, result);
}
PYK_LAYOUTS(histogram);
