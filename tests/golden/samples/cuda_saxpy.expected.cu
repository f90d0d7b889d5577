// cuda_saxpy.py:6  def saxpy(a, x, y): …     void(float32, float32[:], float32[:])
template <class Index>
__global__ void saxpy(float a, const float* __restrict__ x_data, Index x_extent0, Index x_stride0,
    float* __restrict__ y_data, Index y_extent0, Index y_stride0) {
  const pyk::array<const float, 1, pyk::A, Index> x{{x_data, {x_extent0}}, {x_stride0}};
  const pyk::array<float, 1, pyk::A, Index> y{{y_data, {y_extent0}}, {y_stride0}};
  const int64_t i = pyk::grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}
template __global__ void saxpy<int32_t>(float, const float* __restrict__, int32_t, int32_t,
    float* __restrict__, int32_t, int32_t);
template __global__ void saxpy<int64_t>(float, const float* __restrict__, int64_t, int64_t,
    float* __restrict__, int64_t, int64_t);

// cuda_saxpy.py:6  def saxpy(a, x, y): …     void(float32, float32[::1], float32[::1])
template <class Index>
__global__ void saxpy__c(float a, const float* __restrict__ x_data, Index x_extent0,
    float* __restrict__ y_data, Index y_extent0) {
  const pyk::array<const float, 1, pyk::C, Index> x{{x_data, {x_extent0}}};
  const pyk::array<float, 1, pyk::C, Index> y{{y_data, {y_extent0}}};
  const int64_t i = pyk::grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}
template __global__ void saxpy__c<int32_t>(float, const float* __restrict__, int32_t,
    float* __restrict__, int32_t);
template __global__ void saxpy__c<int64_t>(float, const float* __restrict__, int64_t,
    float* __restrict__, int64_t);
