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

// cuda_mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,:], float64, float64, float64, float64, int64)
static inline void mandelbrot_thread(const pyk::thread& lane,
    pyk::array<uint16_t, 2, pyk::A> image, double left, double right, double bottom, double top,
    int64_t limit) {
  const auto [height, width] = image.shape();
  const double dx = (right - left) / width;
  const double dy = (top - bottom) / height;
  const int64_t start_x = lane.grid(0);
  const int64_t start_y = lane.grid(1);
  const int64_t stride_x = lane.gridsize(0);
  const int64_t stride_y = lane.gridsize(1);
  for (int64_t row = start_y; row < height; row += stride_y)
    for (int64_t column = start_x; column < width; column += stride_x)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
}

void mandelbrot(const pyk::launch& launch, pyk::array<uint16_t, 2, pyk::A> image, double left,
    double right, double bottom, double top, int64_t limit) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      mandelbrot_thread(lane, image, left, right, bottom, top, limit);
    });
  }
}

// cuda_mandelbrot.py:19  def mandelbrot(image, left, right, bottom, top, limit): …
//     void(uint16[:,::1], float64, float64, float64, float64, int64)
static inline void mandelbrot__c_thread(const pyk::thread& lane,
    pyk::array<uint16_t, 2, pyk::C> image, double left, double right, double bottom, double top,
    int64_t limit) {
  const auto [height, width] = image.shape();
  const double dx = (right - left) / width;
  const double dy = (top - bottom) / height;
  const int64_t start_x = lane.grid(0);
  const int64_t start_y = lane.grid(1);
  const int64_t stride_x = lane.gridsize(0);
  const int64_t stride_y = lane.gridsize(1);
  for (int64_t row = start_y; row < height; row += stride_y)
    for (int64_t column = start_x; column < width; column += stride_x)
      image(row, column) = escape_time(left + column * dx, bottom + row * dy, limit);
}

void mandelbrot__c(const pyk::launch& launch, pyk::array<uint16_t, 2, pyk::C> image, double left,
    double right, double bottom, double top, int64_t limit) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      mandelbrot__c_thread(lane, image, left, right, bottom, top, limit);
    });
  }
}
