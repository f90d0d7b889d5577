// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], int64, int64, bool)
template <class L, class Index>
static __device__ bool inside_polygon_f4_2a_i8_i8_b1(pyk::array<const float, 2, L, Index> vertices,
                                                     int64_t px, int64_t py, bool border_value) {
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
template <class L, class Index, bool kDisjoint>
__global__ void polygon_mask(pyk::pointer<const float, kDisjoint> vertices_data,
                             pyk::extents<Index, 2> vertices_extents,
                             pyk::pointer<bool, kDisjoint> mask_data,
                             pyk::extents<Index, 2> mask_extents, bool border_value) {
  const auto vertices = pyk::view_of<L>(vertices_data, vertices_extents);
  const auto mask = pyk::view_of<L>(mask_data, mask_extents);
  const int64_t x = pyk::grid(0);
  const int64_t y = pyk::grid(1);
  if (y < mask.shape(0) && x < mask.shape(1))
    mask(y, x) = inside_polygon_f4_2a_i8_i8_b1<L, Index>(vertices, x, y, border_value);
}
PYK_INSTANCE(polygon_mask<pyk::C, int32_t, true>);
PYK_INSTANCE(polygon_mask<pyk::C, int64_t, true>);
PYK_INSTANCE(polygon_mask<pyk::C, int32_t, false>);
PYK_INSTANCE(polygon_mask<pyk::A, int32_t, true>);
PYK_INSTANCE(polygon_mask<pyk::A, int64_t, true>);
PYK_INSTANCE(polygon_mask<pyk::A, int32_t, false>);
PYK_INSTANCE(polygon_mask<pyk::A, int64_t, false>);
