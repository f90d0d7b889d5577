// cuda_saxpy.py:6  def saxpy(a, x, y): …     void(float32, float32[:], float32[:])
template <class L, class Index, bool kDisjoint>
__global__ void saxpy(float a, pyk::pointer<const float, kDisjoint> x_data,
                      pyk::extents<Index, 1> x_extents, pyk::pointer<float, kDisjoint> y_data,
                      pyk::extents<Index, 1> y_extents) {
  const auto x = pyk::view_of<L>(x_data, x_extents);
  const auto y = pyk::view_of<L>(y_data, y_extents);
  const int64_t i = pyk::grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}
PYK_INSTANCE(saxpy<pyk::C, int32_t, true>);
PYK_INSTANCE(saxpy<pyk::C, int64_t, true>);
PYK_INSTANCE(saxpy<pyk::C, int32_t, false>);
PYK_INSTANCE(saxpy<pyk::A, int32_t, true>);
PYK_INSTANCE(saxpy<pyk::A, int64_t, true>);
PYK_INSTANCE(saxpy<pyk::A, int32_t, false>);
PYK_INSTANCE(saxpy<pyk::A, int64_t, false>);
