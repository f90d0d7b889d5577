namespace PYK_ISA {

// wide.py:7  def collatz(first, lengths): …    void(int64, int32[::1])
void collatz(int64_t first, pyk::array<int32_t, 1, pyk::C> lengths) noexcept {
  const bool wide = pyk::lanes::has_512_bits();
  if (wide) {
    #pragma omp parallel for schedule(dynamic, pyk::small_portion(lengths.shape(0) / 32)) \
        firstprivate(lengths)
    for (int64_t i = 0; i < lengths.shape(0); i += 32) {
      const int32_t count = pyk::min(32, lengths.shape(0) - i);
      pyk::lane<int64_t, 32> n, steps;
      pyk::lane<int64_t, 32> alive;
      #pragma omp simd
      for (int32_t k = 0; k < 32; ++k) {
        n[k] = pyk::add(first, i + k);
        steps[k] = 0;
        alive[k] = k < count;
      }
      while (true) {
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k)
          alive[k] = (alive[k] != 0) & (n[k] != 1);
        if (!pyk::any(alive)) break;
        #pragma omp simd
        for (int32_t k = 0; k < 32; ++k) {
          const bool taken = (alive[k] != 0) & !pyk::lanes::is_odd(n[k]);
          const bool other = (alive[k] != 0) & !taken;
          n[k] = taken ? pyk::floordiv(n[k], 2) : n[k];
          n[k] = other ? pyk::add(pyk::mul(3, n[k]), 1) : n[k];
          steps[k] = alive[k] != 0 ? steps[k] + 1 : steps[k];
        }
      }
      #pragma omp simd
      for (int32_t k = 0; k < count; ++k)
        lengths(i + k) = steps[k];
    }
  } else {
    #pragma omp parallel for schedule(dynamic, pyk::portion(lengths.shape(0))) firstprivate(lengths)
    for (int64_t i = 0; i < lengths.shape(0); ++i) {
      int64_t n = pyk::add(first, i);
      int64_t steps = 0;
      while (n != 1) {
        if (pyk::mod(n, 2) == 0) {
          n = pyk::floordiv(n, 2);
        } else {
          n = pyk::add(pyk::mul(3, n), 1);
        }
        steps += 1;
      }
      lengths(i) = steps;
    }
  }
}

// wide.py:21  def primes(out): …             void(bool[::1])
void primes(pyk::array<bool, 1, pyk::C> out) noexcept {
  for (int64_t n = 0; n < out.shape(0); ++n) {
    bool prime = n > 1;
    for (int64_t d = 2; d < n; ++d) {
      if (n % d == 0) {
        prime = false;
        break;
      }
    }
    out(n) = prime;
  }
}

// wide.py:32  def hamming(codes, query, out): …    void(uint64[:,::1], uint64[::1], int32[::1])
void hamming(pyk::array<const uint64_t, 2, pyk::C> codes,
             pyk::array<const uint64_t, 1, pyk::C> query,
             pyk::array<int32_t, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i) {
    int64_t distance = 0;
    for (int64_t k = 0; k < query.shape(0); ++k) {
      uint64_t x = codes(i, k) ^ query(k);
      distance = pyk::add(distance, pyk::bit_count(x));
      x = 0;
    }
    out(i) = distance;
  }
}

}  // namespace PYK_ISA
