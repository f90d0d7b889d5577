// mandelbrot.py:6  def escape_time(x, y, limit): …    int64(float64, float64, int64)
int64_t escape_time(double x, double y, int64_t limit) noexcept {
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

// mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
template <class L>
pyk::status mandelbrot(pyk::array<uint16_t, 2, L> image, double left, double right, double bottom,
                       double top, int64_t limit) noexcept {
  const auto [height, width] = image.shape();
  if (width == 0) return pyk::raise(site::division_21);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_22);
  const double dy = (top - bottom) / height;
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
  return pyk::ok;
}
PYK_LAYOUTS(mandelbrot);

// mandelbrot.py:29  def mandelbrot_parallel(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
template <class L>
pyk::status mandelbrot_parallel(pyk::array<uint16_t, 2, L> image, double left, double right,
                                double bottom, double top, int64_t limit) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  if (width == 0) return pyk::raise(site::division_31);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_32);
  const double dy = (top - bottom) / height;
  #pragma omp parallel for schedule(dynamic) firstprivate(image)
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
  return pyk::ok;
}
PYK_LAYOUTS(mandelbrot_parallel);
