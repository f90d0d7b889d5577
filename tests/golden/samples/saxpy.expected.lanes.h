namespace PYK_ISA {

// saxpy.py:6  def saxpy(a, x, y): …          void(float32, float32[:], float32[:])
template <class L>
void saxpy(float a, pyk::array<const float, 1, L> x, pyk::array<float, 1, L> y) noexcept {
  for (int64_t i = 0; i < x.shape(0); ++i)
    y(i) = a * x(i) + y(i);
}
PYK_LAYOUTS(saxpy);

}  // namespace PYK_ISA
