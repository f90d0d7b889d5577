// saxpy.py:5  def saxpy(a, x, y): …          void(float32, float32[::1], float32[::1])
template <class Index, bool kDisjoint>
__global__ void saxpy(float a, pyk::pointer<const float, kDisjoint> x_data,
                      pyk::extents<Index, 1> x_extents, pyk::pointer<float, kDisjoint> y_data,
                      pyk::extents<Index, 1> y_extents) {
  const auto x = pyk::view_of<pyk::C>(x_data, x_extents);
  const auto y = pyk::view_of<pyk::C>(y_data, y_extents);
  const int64_t i = pyk::grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}
PYK_INSTANCE(saxpy<int32_t, true>);
PYK_INSTANCE(saxpy<int64_t, true>);
PYK_INSTANCE(saxpy<int32_t, false>);
PYK_INSTANCE(saxpy<int64_t, false>);
