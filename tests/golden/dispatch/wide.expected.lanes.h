namespace PYK_ISA {

// wide.py:7  def collatz(first, lengths): …    void(int64, int32[::1])
void collatz(int64_t first, pyk::array<int32_t, 1, pyk::C> lengths) noexcept {
  #pragma omp parallel for schedule(dynamic, pyk::portion(lengths.shape(0))) firstprivate(lengths)
  for (int64_t i = 0; i < lengths.shape(0); ++i) {
    int64_t n = pyk::add(first, i);
    int64_t steps = 0;
    while (n != 1) {
      n = pyk::choose(pyk::mod(n, 2) == 0, pyk::floordiv(n, 2), pyk::add(pyk::mul(3, n), 1));
      steps += 1;
    }
    lengths(i) = steps;
  }
}

// wide.py:21  def primes(out): …             void(bool[::1])
void primes(pyk::array<bool, 1, pyk::C> out) noexcept {
  for (int64_t n = 0; n < out.shape(0); ++n) {
    bool prime = n > 1;
    for (int64_t d = 2; d < n; ++d) {
      if (pyk::mod(n, d) == 0) {
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
      const uint64_t x = codes(i, k) ^ query(k);
      distance = pyk::add(distance, pyk::bit_count(x));
    }
    out(i) = distance;
  }
}

}  // namespace PYK_ISA
