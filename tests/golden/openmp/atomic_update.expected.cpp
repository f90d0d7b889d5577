// atomic_update.py:5  def atomic_update(bins, counts): …    void(int64[::1], int64[::1])
void atomic_update(pyk::array<const int64_t, 1, pyk::C> bins,
                   pyk::array<int64_t, 1, pyk::C> counts) noexcept {
  #pragma omp parallel for firstprivate(counts, bins) if (bins.shape(0) > 8000)
  for (int64_t i = 0; i < bins.shape(0); ++i) {
    #pragma omp atomic
    counts(pyk::wrap(bins(i), counts.shape(0))) += 1;
  }
}
