namespace PYK_ISA {

// histogram.py:7  def histogram(values, low, high, bins): …
//     int64[::1](float64[:], float64, float64, int64)
template <class L>
pyk::status histogram(pyk::array<const double, 1, L> values, double low, double high, int64_t bins,
                      pyk::owned<int64_t, 1, pyk::C>& result) noexcept {
  if (bins < 0) return pyk::raise(site::value_8);
  auto counts = pyk::zeros<int64_t, pyk::C>(bins);
  if (!counts.is_valid()) return pyk::no_memory;
  if (bins == 0) return pyk::raise(site::division_9);
  const double width = (high - low) / bins;
  for (const double value : values) {
    if (low <= value && value < high) {
      if (width == 0.0) return pyk::raise(site::division_12);
      const int64_t bin = pyk::min(pyk::convert<int64_t>((value - low) / width), bins - 1);
      pyk::add_to(counts(pyk::wrap(bin, counts.shape(0))), 1);
    }
  }
  result = counts;
  return pyk::ok;
}
PYK_LAYOUTS(histogram);

}  // namespace PYK_ISA
