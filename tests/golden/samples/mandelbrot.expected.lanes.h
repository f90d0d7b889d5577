namespace PYK_ISA {

// mandelbrot.py:6  def escape_time(x, y, limit): …    int64(float64, float64, int64)
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

// mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
pyk::status mandelbrot(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                       double bottom, double top, int64_t limit) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  if (width == 0) return pyk::raise(site::division_21);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_22);
  const double dy = (top - bottom) / height;
  const bool apart = pyk::lanes::disjoint(image);
  for (int64_t row = 0; row < height; ++row) {
    if (apart && width >= 11) {
      for (int64_t column = 0; column < width; column += 16) {
        const int32_t count = pyk::min(16, width - column);
        pyk::lane<int64_t, 16> escape_time_2;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = 0;
        const double y = bottom + row * dy;
        pyk::lane<double, 16> x, real, imag;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          x[k] = left + (double(column) + k) * dx;
          alive.at[k] = k < count;
          real[k] = 0.0;
          imag[k] = 0.0;
        }
        for (int64_t i = 0; i < limit; ++i) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k) {
            const double squares = real[k] * real[k] - imag[k] * imag[k] + x[k];
            imag[k] = 2.0 * real[k] * imag[k] + y;
            real[k] = squares;
            const bool taken = alive[k] & (real[k] * real[k] + imag[k] * imag[k] >= 4.0);
            escape_time_2[k] = pyk::lanes::choose(taken, i, escape_time_2[k]);
            alive.at[k] = alive[k] & !taken;
          }
          if (!pyk::any(alive)) break;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = pyk::lanes::choose(alive[k], limit, escape_time_2[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          image(row, column + k) = escape_time_2[k];
      }
    } else {
      for (int64_t column = 0; column < width; ++column)
        image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
    }
  }
  return pyk::ok;
}

// mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,::1], float64, float64, float64, float64, int64)
pyk::status mandelbrot_c(pyk::array<uint16_t, 2, pyk::C> image, double left, double right,
                         double bottom, double top, int64_t limit) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  if (width == 0) return pyk::raise(site::division_21);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_22);
  const double dy = (top - bottom) / height;
  for (int64_t row = 0; row < height; ++row) {
    if (width >= 10) {
      for (int64_t column = 0; column < width; column += 16) {
        const int32_t count = pyk::min(16, width - column);
        pyk::lane<int64_t, 16> escape_time_2;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = 0;
        const double y = bottom + row * dy;
        pyk::lane<double, 16> x, real, imag;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          x[k] = left + (double(column) + k) * dx;
          alive.at[k] = k < count;
          real[k] = 0.0;
          imag[k] = 0.0;
        }
        for (int64_t i = 0; i < limit; ++i) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k) {
            const double squares = real[k] * real[k] - imag[k] * imag[k] + x[k];
            imag[k] = 2.0 * real[k] * imag[k] + y;
            real[k] = squares;
            const bool taken = alive[k] & (real[k] * real[k] + imag[k] * imag[k] >= 4.0);
            escape_time_2[k] = pyk::lanes::choose(taken, i, escape_time_2[k]);
            alive.at[k] = alive[k] & !taken;
          }
          if (!pyk::any(alive)) break;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = pyk::lanes::choose(alive[k], limit, escape_time_2[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          image(row, column + k) = escape_time_2[k];
      }
    } else {
      for (int64_t column = 0; column < width; ++column)
        image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
    }
  }
  return pyk::ok;
}

// mandelbrot.py:29  def mandelbrot_parallel(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
pyk::status mandelbrot_parallel(pyk::array<uint16_t, 2, pyk::A> image, double left, double right,
                                double bottom, double top, int64_t limit) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  if (width == 0) return pyk::raise(site::division_31);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_32);
  const double dy = (top - bottom) / height;
  const bool apart = pyk::lanes::disjoint(image);
  #pragma omp parallel for schedule(dynamic, pyk::small_portion(height)) firstprivate(image)
  for (int64_t row = 0; row < height; ++row) {
    if (apart && width >= 11) {
      for (int64_t column = 0; column < width; column += 16) {
        const int32_t count = pyk::min(16, width - column);
        pyk::lane<int64_t, 16> escape_time_2;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = 0;
        const double y = bottom + row * dy;
        pyk::lane<double, 16> x, real, imag;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          x[k] = left + (double(column) + k) * dx;
          alive.at[k] = k < count;
          real[k] = 0.0;
          imag[k] = 0.0;
        }
        for (int64_t i = 0; i < limit; ++i) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k) {
            const double squares = real[k] * real[k] - imag[k] * imag[k] + x[k];
            imag[k] = 2.0 * real[k] * imag[k] + y;
            real[k] = squares;
            const bool taken = alive[k] & (real[k] * real[k] + imag[k] * imag[k] >= 4.0);
            escape_time_2[k] = pyk::lanes::choose(taken, i, escape_time_2[k]);
            alive.at[k] = alive[k] & !taken;
          }
          if (!pyk::any(alive)) break;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = pyk::lanes::choose(alive[k], limit, escape_time_2[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          image(row, column + k) = escape_time_2[k];
      }
    } else {
      for (int64_t column = 0; column < width; ++column)
        image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
    }
  }
  return pyk::ok;
}

// mandelbrot.py:29  def mandelbrot_parallel(image, left, right, bottom, top, limit): …
//     void(uint16[:,::1], float64, float64, float64, float64, int64)
pyk::status mandelbrot_parallel_c(pyk::array<uint16_t, 2, pyk::C> image, double left, double right,
                                  double bottom, double top, int64_t limit) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  if (width == 0) return pyk::raise(site::division_31);
  const double dx = (right - left) / width;
  if (height == 0) return pyk::raise(site::division_32);
  const double dy = (top - bottom) / height;
  #pragma omp parallel for schedule(dynamic, pyk::small_portion(height)) firstprivate(image)
  for (int64_t row = 0; row < height; ++row) {
    if (width >= 10) {
      for (int64_t column = 0; column < width; column += 16) {
        const int32_t count = pyk::min(16, width - column);
        pyk::lane<int64_t, 16> escape_time_2;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = 0;
        const double y = bottom + row * dy;
        pyk::lane<double, 16> x, real, imag;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          x[k] = left + (double(column) + k) * dx;
          alive.at[k] = k < count;
          real[k] = 0.0;
          imag[k] = 0.0;
        }
        for (int64_t i = 0; i < limit; ++i) {
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k) {
            const double squares = real[k] * real[k] - imag[k] * imag[k] + x[k];
            imag[k] = 2.0 * real[k] * imag[k] + y;
            real[k] = squares;
            const bool taken = alive[k] & (real[k] * real[k] + imag[k] * imag[k] >= 4.0);
            escape_time_2[k] = pyk::lanes::choose(taken, i, escape_time_2[k]);
            alive.at[k] = alive[k] & !taken;
          }
          if (!pyk::any(alive)) break;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k)
          escape_time_2[k] = pyk::lanes::choose(alive[k], limit, escape_time_2[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          image(row, column + k) = escape_time_2[k];
      }
    } else {
      for (int64_t column = 0; column < width; ++column)
        image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
    }
  }
  return pyk::ok;
}

}  // namespace PYK_ISA
