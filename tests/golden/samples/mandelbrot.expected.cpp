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

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  pyk::status mandelbrot(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                         double bottom, double top, int64_t limit) noexcept;
  pyk::status mandelbrot_c(pyk::array<uint16_t, 2, pyk::C> image, double left, double right,
                           double bottom, double top, int64_t limit) noexcept;
  pyk::status mandelbrot_parallel(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                                  double bottom, double top, int64_t limit) noexcept;
  pyk::status mandelbrot_parallel_c(pyk::array<uint16_t, 2, pyk::C> image, double left,
                                    double right, double bottom, double top,
                                    int64_t limit) noexcept;
)

// mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
pyk::status mandelbrot(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                       double bottom, double top, int64_t limit) noexcept {
  return PYK_BODY(mandelbrot)(image, left, right, bottom, top, limit);
}

// mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,::1], float64, float64, float64, float64, int64)
pyk::status mandelbrot_c(pyk::array<uint16_t, 2, pyk::C> image, double left, double right,
                         double bottom, double top, int64_t limit) noexcept {
  return PYK_BODY(mandelbrot_c)(image, left, right, bottom, top, limit);
}

// mandelbrot.py:29  def mandelbrot_parallel(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
pyk::status mandelbrot_parallel(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                                double bottom, double top, int64_t limit) noexcept {
  return PYK_BODY(mandelbrot_parallel)(image, left, right, bottom, top, limit);
}

// mandelbrot.py:29  def mandelbrot_parallel(image, left, right, bottom, top, limit): …
//     void(uint16[:,::1], float64, float64, float64, float64, int64)
pyk::status mandelbrot_parallel_c(pyk::array<uint16_t, 2, pyk::C> image, double left, double right,
                                  double bottom, double top, int64_t limit) noexcept {
  return PYK_BODY(mandelbrot_parallel_c)(image, left, right, bottom, top, limit);
}
