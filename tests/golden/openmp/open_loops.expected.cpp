// open_loops.py:6  def rows(values, begin, out): …    void(float64[:], int64[:], float64[:])
template <class L>
void rows(pyk::array<const double, 1, L> values, pyk::array<const int64_t, 1, L> begin,
          pyk::array<double, 1, L> out) noexcept {
  #pragma omp parallel for schedule(dynamic, pyk::portion(out.shape(0))) firstprivate(begin, values, \
      out)
  for (int64_t r = 0; r < out.shape(0); ++r) {
    double total = 0.0;
    const int64_t j_end = begin(r + 1);
    for (int64_t j = begin(r); j < j_end; ++j)
      total = pyk::in_order(total + values(pyk::wrap(j, values.shape(0))));
    out(r) = total;
  }
}
PYK_LAYOUTS(rows);

// open_loops.py:15  def series(out): …       void(float64[:])
template <class L>
void series(pyk::array<double, 1, L> out) noexcept {
  #pragma omp parallel for firstprivate(out)
  for (int64_t r = 1; r < 5; ++r) {
    double kept = out(r);
    for (int64_t k = 0; k < 1000000; ++k)
      kept = pyk::in_order(kept + 1.0 / (int32_t(k) + int32_t(r)));
    out(r) = kept;
  }
}
PYK_LAYOUTS(series);
