// kernels.py:6  def two_arrays(x, y): …      void(float32[:], float32[:])
template <class L, class Index, bool kDisjoint>
__global__ void two_arrays(pyk::pointer<const float, kDisjoint> x_data,
                           pyk::extents<Index, 1> x_extents, pyk::pointer<float, kDisjoint> y_data,
                           pyk::extents<Index, 1> y_extents) {
  const auto x = pyk::view_of<L>(x_data, x_extents);
  const auto y = pyk::view_of<L>(y_data, y_extents);
  const int64_t i = pyk::grid(0);
  if (i < x.shape(0)) y(i) = x(i);
}
PYK_INSTANCE(two_arrays<pyk::C, int32_t, true>);
PYK_INSTANCE(two_arrays<pyk::C, int64_t, true>);
PYK_INSTANCE(two_arrays<pyk::C, int32_t, false>);
PYK_INSTANCE(two_arrays<pyk::A, int32_t, true>);
PYK_INSTANCE(two_arrays<pyk::A, int64_t, true>);
PYK_INSTANCE(two_arrays<pyk::A, int32_t, false>);
PYK_INSTANCE(two_arrays<pyk::A, int64_t, false>);

// kernels.py:13  def one_array(x): …         void(float32[::1])
template <class Index>
__global__ void one_array(float* __restrict__ x_data, pyk::extents<Index, 1> x_extents) {
  const auto x = pyk::view_of<pyk::C>(x_data, x_extents);
  x(int32_t(threadIdx.x)) = 1.0f;
}
PYK_INSTANCE(one_array<int32_t>);
PYK_INSTANCE(one_array<int64_t>);

// kernels.py:18  def only_read(x, y, n): …    void(float32[::1], float32[::1], int32)
template <class Index>
__global__ void only_read(const float* __restrict__ x_data, pyk::extents<Index, 1> x_extents,
                          const float* __restrict__ y_data, pyk::extents<Index, 1> y_extents,
                          int32_t n) {
  const auto x = pyk::view_of<pyk::C>(x_data, x_extents);
  const auto y = pyk::view_of<pyk::C>(y_data, y_extents);
  if (x(0) > y(pyk::wrap(n, y.shape(0)))) {
    pyk::print_format("larger\n");
  }
}
PYK_INSTANCE(only_read<int32_t>);
PYK_INSTANCE(only_read<int64_t>);

// kernels.py:24  def no_array(n): …          void(int32)
__global__ void no_array(int32_t n) {
  pyk::print_format("n = %lld\n", n);
}
