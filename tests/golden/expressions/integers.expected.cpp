// integers.py:5  def integers(n, i, u): …    int64(int64, int32, uint8)
int64_t integers(int64_t n, int32_t i, uint8_t u) noexcept {
  const int64_t a = pyk::add(n, 1);
  const int64_t b = int64_t(i) * i + u;
  const int64_t c = pyk::floordiv(n, 3) + pyk::mod(n, 7);
  const int64_t d = pyk::shl(n, 2) | (((i >> 1) & 255) ^ u);
  return pyk::add(pyk::sub(pyk::mul(a, b), c), d);
}
