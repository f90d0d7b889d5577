// swap.py:5  def swap(a, b): …               int64(int64, int64)
int64_t swap(int64_t a, int64_t b) noexcept {
  while (b != 0) {
    const int64_t old = pyk::mod(a, b);
    a = b;
    b = old;
  }
  return a;
}
