// cuda_mandelbrot.py:6  def escape_time(x, y, limit): …    int64(float64, float64, int64)
static __device__ int64_t escape_time(double x, double y, int64_t limit) {
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

// cuda_mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
template <class L, class Index>
__global__ void mandelbrot(uint16_t* __restrict__ image_data, pyk::extents<Index, 2> image_extents,
                           double left, double right, double bottom, double top, int64_t limit) {
  const auto image = pyk::view_of<L>(image_data, image_extents);
  const auto [height, width] = image.shape();
  const double dx = (right - left) / width;
  const double dy = (top - bottom) / height;
  const int64_t start_x = pyk::grid(0);
  const int64_t start_y = pyk::grid(1);
  const int64_t stride_x = pyk::gridsize(0);
  const int64_t stride_y = pyk::gridsize(1);
  for (int64_t row = start_y; row < height; row += stride_y)
    for (int64_t column = start_x; column < width; column += stride_x)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
}
PYK_INSTANCE(mandelbrot<pyk::C, int32_t>);
PYK_INSTANCE(mandelbrot<pyk::C, int64_t>);
PYK_INSTANCE(mandelbrot<pyk::A, int32_t>);
PYK_INSTANCE(mandelbrot<pyk::A, int64_t>);
