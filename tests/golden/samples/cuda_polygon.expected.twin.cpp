// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], int64, int64, bool)
template <class L>
static inline bool inside_polygon_f4_2a_i8_i8_b1(pyk::array<const float, 2, L> vertices, int64_t px,
                                                 int64_t py, bool border_value) noexcept {
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
            counter = pyk::add(counter, pyk::blend(x1 == x2 || px <= xinters, 1, 0));
          }
        }
      }
    }
    x1 = x2;
    y1 = y2;
  }
  return counter % 2 != 0;
}

// one thread of cuda_polygon.py:28  def polygon_mask(vertices, mask, border_value): …
template <class L>
static inline void polygon_mask_thread(int32_t thread_x, int32_t thread_y, int32_t block_x,
                                       int32_t block_y, int32_t block_dim_x, int32_t block_dim_y,
                                       pyk::array<const float, 2, L> vertices,
                                       pyk::array<bool, 2, L> mask, bool border_value) noexcept {
  const int64_t x = int64_t(block_x) * block_dim_x + thread_x;
  const int64_t y = int64_t(block_y) * block_dim_y + thread_y;
  if (y < mask.shape(0) && x < mask.shape(1))
    mask(y, x) = inside_polygon_f4_2a_i8_i8_b1<L>(vertices, x, y, border_value);
}

// cuda_polygon.py:28  def polygon_mask(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class L>
void polygon_mask(const pyk::launch& launch, pyk::array<const float, 2, L> vertices,
                  pyk::array<bool, 2, L> mask, bool border_value) noexcept {
  const int32_t block_dim_x = launch.block_dim(0);
  const int32_t block_dim_y = launch.block_dim(1);
  const int32_t block_dim_z = launch.block_dim(2);
  const int32_t grid_dim_x = launch.grid_dim(0);
  const int32_t grid_dim_y = launch.grid_dim(1);
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    const int32_t block_x = pyk::mod(block, grid_dim_x);
    const int32_t block_y = pyk::mod(pyk::floordiv(block, grid_dim_x), grid_dim_y);
    for (int32_t thread_z = 0; thread_z < block_dim_z; ++thread_z)
      for (int32_t thread_y = 0; thread_y < block_dim_y; ++thread_y)
        for (int32_t thread_x = 0; thread_x < block_dim_x; ++thread_x)
          polygon_mask_thread<L>(thread_x, thread_y, block_x, block_y, block_dim_x, block_dim_y,
                                 vertices, mask, border_value);
  }
}
PYK_LAYOUTS(polygon_mask);
