// else_if.py:5  def else_if(x): …            int64(float64)
int64_t else_if(double x) noexcept {
  int64_t sign;
  if (x < 0.0) {
    sign = -1;
  } else if (x > 0.0) {
    sign = 1;
  } else {
    sign = 0;
  }
  return sign;
}
