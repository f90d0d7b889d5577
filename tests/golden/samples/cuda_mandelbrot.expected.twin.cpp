// cuda_mandelbrot.py:6  def escape_time(x, y, limit): …    int64(float64, float64, int64)
static inline int64_t escape_time(double x, double y, int64_t limit) noexcept {
  double real = 0.0;
  double imag = 0.0;
  for (int64_t i = 0; i < limit; ++i) {
    const double squares = real * real - imag * imag + x;
    imag = 2.0 * real * imag + y;
    real = squares;
    if (real * real + imag * imag >= 4.0) return i;
  }
  return limit;
}

// one thread of cuda_mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
template <class L>
static inline void mandelbrot_thread(int32_t thread_x, int32_t thread_y, int32_t block_x,
                                     int32_t block_y, int32_t block_dim_x, int32_t block_dim_y,
                                     int32_t grid_dim_x, int32_t grid_dim_y,
                                     pyk::array<uint16_t, 2, L> image, double left, double right,
                                     double bottom, double top, int64_t limit) noexcept {
  const auto [height, width] = image.shape();
  const double dx = (right - left) / width;
  const double dy = (top - bottom) / height;
  const int64_t start_x = int64_t(block_x) * block_dim_x + thread_x;
  const int64_t start_y = int64_t(block_y) * block_dim_y + thread_y;
  const int64_t stride_x = int64_t(block_dim_x) * grid_dim_x;
  const int64_t stride_y = int64_t(block_dim_y) * grid_dim_y;
  for (int64_t row = start_y; row < height; row += stride_y)
    for (int64_t column = start_x; column < width; column += stride_x)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
}

// cuda_mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
template <class L>
void mandelbrot(const pyk::launch& launch, pyk::array<uint16_t, 2, L> image, double left,
                double right, double bottom, double top, int64_t limit) noexcept {
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
          mandelbrot_thread<L>(thread_x, thread_y, block_x, block_y, block_dim_x, block_dim_y,
                               grid_dim_x, grid_dim_y, image, left, right, bottom, top, limit);
  }
}
PYK_LAYOUTS(mandelbrot);
