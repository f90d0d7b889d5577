// intrinsics.py:5  def intrinsics(a, x): …    void(int32[::1], float32[::1])
template <class Index, bool kDisjoint>
__global__ void intrinsics(pyk::pointer<int32_t, kDisjoint> a_data,
                           pyk::extents<Index, 1> a_extents, pyk::pointer<float, kDisjoint> x_data,
                           pyk::extents<Index, 1> x_extents) {
  const auto a = pyk::view_of<pyk::C>(a_data, a_extents);
  const auto x = pyk::view_of<pyk::C>(x_data, x_extents);
  a(0) = pyk::cuda::popc(a(0));
  x(0) = pyk::cuda::fma(x(0), x(1), x(2));
}
PYK_INSTANCE(intrinsics<int32_t, true>);
PYK_INSTANCE(intrinsics<int64_t, true>);
PYK_INSTANCE(intrinsics<int32_t, false>);
PYK_INSTANCE(intrinsics<int64_t, false>);
