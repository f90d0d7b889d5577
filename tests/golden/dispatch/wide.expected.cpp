// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  void collatz(int64_t first, pyk::array<int32_t, 1, pyk::C> lengths) noexcept;
  void primes(pyk::array<bool, 1, pyk::C> out) noexcept;
  void hamming(pyk::array<const uint64_t, 2, pyk::C> codes,
               pyk::array<const uint64_t, 1, pyk::C> query,
               pyk::array<int32_t, 1, pyk::C> out) noexcept;
)

// wide.py:7  def collatz(first, lengths): …    void(int64, int32[::1])
void collatz(int64_t first, pyk::array<int32_t, 1, pyk::C> lengths) noexcept {
  return PYK_BODY(collatz)(first, lengths);
}

// wide.py:21  def primes(out): …             void(bool[::1])
void primes(pyk::array<bool, 1, pyk::C> out) noexcept {
  return PYK_BODY(primes)(out);
}

// wide.py:32  def hamming(codes, query, out): …    void(uint64[:,::1], uint64[::1], int32[::1])
void hamming(pyk::array<const uint64_t, 2, pyk::C> codes,
             pyk::array<const uint64_t, 1, pyk::C> query,
             pyk::array<int32_t, 1, pyk::C> out) noexcept {
  return PYK_BODY(hamming)(codes, query, out);
}
