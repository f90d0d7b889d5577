// saxpy.py:6  def saxpy(a, x, y): …          void(float32, float32[:], float32[:])
void saxpy(float a, pyk::array<const float, 1, pyk::A> x, pyk::array<float, 1, pyk::A> y) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    y(i) = a * x(i) + y(i);
}

// saxpy.py:6  def saxpy(a, x, y): …          void(float32, float32[::1], float32[::1])
void saxpy__c(float a, pyk::array<const float, 1, pyk::C> x,
    pyk::array<float, 1, pyk::C> y) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    y(i) = a * x(i) + y(i);
}
