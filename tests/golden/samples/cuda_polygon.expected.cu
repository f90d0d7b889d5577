// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], int64, int64, bool)
template <class Index>
static __device__ bool inside_polygon__f4_2a_i8_i8_b1(
    pyk::array<const float, 2, pyk::A, Index> vertices, int64_t px, int64_t py, bool border_value) {
  int64_t counter = 0;
  const int64_t n = vertices.shape(0);
  float x1 = vertices(n - 1, 0);
  float y1 = vertices(n - 1, 1);
  for (int64_t i = 0; i < n; ++i) {
    if (double(x1) == px && double(y1) == py) return border_value;
    const float x2 = vertices(i, 0);
    const float y2 = vertices(i, 1);
    if (double(py) > pyk::np::fmin(y1, y2)) {
      if (double(py) <= pyk::np::fmax(y1, y2)) {
        if (double(px) <= pyk::np::fmax(x1, x2)) {
          if (y1 != y2) {
            const double xinters = (double(py) - y1) * (x2 - x1) / (y2 - y1) + x1;
            if (x1 == x2 || px <= xinters) counter += 1;
          }
        }
      }
    }
    x1 = x2;
    y1 = y2;
  }
  return counter % 2 != 0;
}

// cuda_polygon.py:28  def polygon_mask(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class Index>
__global__ void polygon_mask(const float* __restrict__ vertices_data, Index vertices_extent0,
    Index vertices_extent1, Index vertices_stride0, Index vertices_stride1,
    bool* __restrict__ mask_data, Index mask_extent0, Index mask_extent1, Index mask_stride0,
    Index mask_stride1, bool border_value) {
  const pyk::array<const float, 2, pyk::A, Index> vertices{{vertices_data,
      {vertices_extent0, vertices_extent1}}, {vertices_stride0, vertices_stride1}};
  const pyk::array<bool, 2, pyk::A, Index> mask{{mask_data, {mask_extent0, mask_extent1}},
      {mask_stride0, mask_stride1}};
  const int64_t x = pyk::grid(0);
  const int64_t y = pyk::grid(1);
  if (y < mask.shape(0) && x < mask.shape(1)) {
    mask(y, x) = inside_polygon__f4_2a_i8_i8_b1<Index>(vertices, x, y, border_value);
  }
}
template __global__ void polygon_mask<int32_t>(const float* __restrict__, int32_t, int32_t,
    int32_t, int32_t, bool* __restrict__, int32_t, int32_t, int32_t, int32_t, bool);
template __global__ void polygon_mask<int64_t>(const float* __restrict__, int64_t, int64_t,
    int64_t, int64_t, bool* __restrict__, int64_t, int64_t, int64_t, int64_t, bool);

// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,::1], int64, int64, bool)
template <class Index>
static __device__ bool inside_polygon__f4_2c_i8_i8_b1(
    pyk::array<const float, 2, pyk::C, Index> vertices, int64_t px, int64_t py, bool border_value) {
  int64_t counter = 0;
  const int64_t n = vertices.shape(0);
  float x1 = vertices(n - 1, 0);
  float y1 = vertices(n - 1, 1);
  for (int64_t i = 0; i < n; ++i) {
    if (double(x1) == px && double(y1) == py) return border_value;
    const float x2 = vertices(i, 0);
    const float y2 = vertices(i, 1);
    if (double(py) > pyk::np::fmin(y1, y2)) {
      if (double(py) <= pyk::np::fmax(y1, y2)) {
        if (double(px) <= pyk::np::fmax(x1, x2)) {
          if (y1 != y2) {
            const double xinters = (double(py) - y1) * (x2 - x1) / (y2 - y1) + x1;
            if (x1 == x2 || px <= xinters) counter += 1;
          }
        }
      }
    }
    x1 = x2;
    y1 = y2;
  }
  return counter % 2 != 0;
}

// cuda_polygon.py:28  def polygon_mask(vertices, mask, border_value): …
//     void(float32[:,::1], bool[:,::1], bool)
template <class Index>
__global__ void polygon_mask__c(const float* __restrict__ vertices_data, Index vertices_extent0,
    Index vertices_extent1, bool* __restrict__ mask_data, Index mask_extent0, Index mask_extent1,
    bool border_value) {
  const pyk::array<const float, 2, pyk::C, Index> vertices{{vertices_data,
      {vertices_extent0, vertices_extent1}}};
  const pyk::array<bool, 2, pyk::C, Index> mask{{mask_data, {mask_extent0, mask_extent1}}};
  const int64_t x = pyk::grid(0);
  const int64_t y = pyk::grid(1);
  if (y < mask.shape(0) && x < mask.shape(1)) {
    mask(y, x) = inside_polygon__f4_2c_i8_i8_b1<Index>(vertices, x, y, border_value);
  }
}
template __global__ void polygon_mask__c<int32_t>(const float* __restrict__, int32_t, int32_t,
    bool* __restrict__, int32_t, int32_t, bool);
template __global__ void polygon_mask__c<int64_t>(const float* __restrict__, int64_t, int64_t,
    bool* __restrict__, int64_t, int64_t, bool);
