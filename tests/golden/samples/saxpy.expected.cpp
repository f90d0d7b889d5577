// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  void saxpy(float a, pyk::array<const float, 1, L> x, pyk::array<float, 1, L> y) noexcept;
)

// saxpy.py:6  def saxpy(a, x, y): …          void(float32, float32[:], float32[:])
template <class L>
void saxpy(float a, pyk::array<const float, 1, L> x, pyk::array<float, 1, L> y) noexcept {
  return PYK_BODY(saxpy<L>)(a, x, y);
}
PYK_LAYOUTS(saxpy);
