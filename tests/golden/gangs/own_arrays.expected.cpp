// one iteration of own_arrays.py:8  for s in prange(sequences.shape[0]): …
static inline pyk::status local_alignment_each_s(int64_t s,
                                                 pyk::array<const uint8_t, 2, pyk::C> sequences,
                                                 pyk::array<const uint8_t, 1, pyk::C> query,
                                                 pyk::array<int32_t, 1, pyk::C> scores) noexcept {
  const int32_t count = pyk::min(64, sequences.shape(0) - s);
  pyk::lane<uint8_t, 64> kept;
  #pragma omp simd
  for (int32_t k = 0; k < 64; ++k)
    kept[k] = 0;
  auto row = pyk::zeros<int32_t, pyk::C>(query.shape(0) + 1, 64);
  if (!row.is_valid()) return pyk::no_memory;
  pyk::lane<int64_t, 64> best;
  #pragma omp simd
  for (int32_t k = 0; k < 64; ++k)
    best[k] = 0;
  for (int64_t i = 0; i < sequences.shape(1); ++i) {
    const bool same = 0 <= i && i < sequences.shape(1);
    pyk::lane<int64_t, 64> diagonal;
    #pragma omp simd
    for (int32_t k = 0; k < 64; ++k)
      diagonal[k] = 0;
    #pragma omp simd
    for (int32_t k = 0; k < count; ++k)
      kept[k] = same ? sequences(s + k, i) : 0;
    for (int64_t j = 0; j < query.shape(0); ++j) {
      const uint8_t same_2 = query(j);
      #pragma omp simd
      for (int32_t k = 0; k < 64; ++k) {
        const int32_t above = row(j + 1, k);
        const int64_t score =
            pyk::max(0, pyk::add(diagonal[k], kept[k] == same_2 ? 2 : -1),
                     pyk::sub(int64_t(above), 2), pyk::sub(int64_t(row(j, k)), 2));
        const int32_t diagonal_2 = above;
        row(j + 1, k) = score;
        best[k] = pyk::max(best[k], score);
        diagonal[k] = diagonal_2;
      }
    }
  }
  #pragma omp simd
  for (int32_t k = 0; k < count; ++k)
    scores(s + k) = best[k];
  return pyk::ok;
}

// one iteration of own_arrays.py:8  for s in prange(sequences.shape[0]): …
static inline pyk::status local_alignment_each_s_2(int64_t s,
                                                   pyk::array<const uint8_t, 1, pyk::C> query,
                                                   pyk::array<const uint8_t, 2, pyk::C> sequences,
                                                   pyk::array<int32_t, 1, pyk::C> scores) noexcept {
  alignas(pyk::kAlignment) int32_t row_room[128];
  auto row = pyk::zeros_at<int32_t, pyk::C>(row_room, query.shape(0) + 1);
  if (!row.is_valid()) return pyk::no_memory;
  int64_t best = 0;
  for (int64_t i = 0; i < sequences.shape(1); ++i) {
    int64_t diagonal = 0;
    for (int64_t j = 0; j < query.shape(0); ++j) {
      const int32_t above = row(j + 1);
      const int64_t score =
          pyk::max(0, diagonal + (sequences(s, i) == query(j) ? 2 : -1), int64_t(above) - 2,
                   int64_t(row(j)) - 2);
      const int32_t diagonal_2 = above;
      row(j + 1) = score;
      best = pyk::max(best, score);
      diagonal = diagonal_2;
    }
  }
  scores(s) = best;
  return pyk::ok;
}

// own_arrays.py:7  def local_alignment(sequences, query, scores): …
//     void(uint8[:,::1], uint8[::1], int32[::1])
pyk::status local_alignment(pyk::array<const uint8_t, 2, pyk::C> sequences,
                            pyk::array<const uint8_t, 1, pyk::C> query,
                            pyk::array<int32_t, 1, pyk::C> scores) noexcept {
  const bool apart = 4.0 * (query.shape(0) + 1) <= 262144.0;
  if (apart && sequences.shape(0) >= 16) {
    pyk::first_error error;
    #pragma omp parallel for firstprivate(query, sequences, scores) \
        if (double(sequences.shape(0)) * sequences.shape(1) * query.shape(0) > 2000.0)
    for (int64_t s = 0; s < sequences.shape(0); s += 64)
      if (!error.is_before(s)) error.keep(s, local_alignment_each_s(s, sequences, query, scores));
    if (const auto status = error.get()) return status;
  } else {
    pyk::first_error error_2;
    #pragma omp parallel for firstprivate(query, sequences, scores) \
        if (double(sequences.shape(0)) * sequences.shape(1) * query.shape(0) > 2000.0)
    for (int64_t s = 0; s < sequences.shape(0); ++s)
      if (!error_2.is_before(s))
        error_2.keep(s, local_alignment_each_s_2(s, query, sequences, scores));
    if (const auto status = error_2.get()) return status;
  }
  return pyk::ok;
}

// own_arrays.py:23  def push(stack, top, value): …    int64(float64[::1], int64, float64)
int64_t push(pyk::array<double, 1, pyk::C> stack, int64_t top, double value) noexcept {
  stack(pyk::wrap(top, stack.shape(0))) = value;
  return pyk::add(top, 1);
}

// own_arrays.py:29  def swapped(x, out, rounds): …    void(float64[:,::1], float64[::1], int64)
pyk::status swapped(pyk::array<const double, 2, pyk::C> x, pyk::array<double, 1, pyk::C> out,
                    int64_t rounds) noexcept {
  const int64_t n = x.shape(1);
  const bool apart = pyk::lanes::disjoint(out, x) && 8.0 * n + 8.0 * n <= 524288.0;
  if (apart && x.shape(0) >= 22) {
    for (int64_t i = 0; i < x.shape(0); i += 32) {
      const int32_t count = pyk::min(32, x.shape(0) - i);
      pyk::lane<double, 32> value_2;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < 32; ++k_2)
        value_2[k_2] = 0.0;
      auto old = pyk::empty<double, pyk::C>(n, 32);
      if (!old.is_valid()) return pyk::no_memory;
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        value_2[k_2] = x(i + k_2, 0);
      for (int64_t i_2 = 0; i_2 < old.shape(0); ++i_2) {
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          old(i_2, k_2) = value_2[k_2];
      }
      auto new_ = pyk::empty<double, pyk::C>(n, 32);
      if (!new_.is_valid()) return pyk::no_memory;
      for (int64_t _ = 0; _ < rounds; ++_) {
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          new_(0, k_2) = old(old.shape(0) - 1, k_2);
        for (int64_t k = 1; k < n; ++k) {
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
            const double value = 0.5 * (old(k - 1, k_2) + old(k, k_2));
            new_(k, k_2) = value;
          }
        }
        pyk::owned<double, 2, pyk::C> old_2 = old;
        old = new_;
        new_ = std::move(old_2);
      }
      #pragma omp simd
      for (int32_t k_2 = 0; k_2 < count; ++k_2)
        out(i + k_2) = old(pyk::wrap(n - 1, old.shape(0)), k_2);
    }
  } else {
    for (int64_t i = 0; i < x.shape(0); ++i) {
      auto old = pyk::full<double, pyk::C>(x(i, 0), n);
      if (!old.is_valid()) return pyk::no_memory;
      auto new_ = pyk::empty<double, pyk::C>(n);
      if (!new_.is_valid()) return pyk::no_memory;
      for (int64_t _ = 0; _ < rounds; ++_) {
        new_(0) = old(old.shape(0) - 1);
        for (int64_t k = 1; k < n; ++k) {
          const double value = 0.5 * (old(k - 1) + old(k));
          new_(k) = value;
        }
        pyk::owned<double, 1, pyk::C> old_2 = old;
        old = new_;
        new_ = std::move(old_2);
      }
      out(i) = old(pyk::wrap(n - 1, old.shape(0)));
    }
  }
  return pyk::ok;
}
