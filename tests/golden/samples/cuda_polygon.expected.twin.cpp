// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], int64, int64, bool)
static inline bool inside_polygon__f4_2a_i8_i8_b1(pyk::array<const float, 2, pyk::A> vertices,
    int64_t px, int64_t py, bool border_value) noexcept {
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
static inline void polygon_mask_thread(const pyk::thread& lane,
    pyk::array<const float, 2, pyk::A> vertices, pyk::array<bool, 2, pyk::A> mask,
    bool border_value) {
  const int64_t x = lane.grid(0);
  const int64_t y = lane.grid(1);
  if (y < mask.shape(0) && x < mask.shape(1)) {
    mask(y, x) = inside_polygon__f4_2a_i8_i8_b1(vertices, x, y, border_value);
  }
}

void polygon_mask(const pyk::launch& launch, pyk::array<const float, 2, pyk::A> vertices,
    pyk::array<bool, 2, pyk::A> mask, bool border_value) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      polygon_mask_thread(lane, vertices, mask, border_value);
    });
  }
}

// cuda_polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,::1], int64, int64, bool)
static inline bool inside_polygon__f4_2c_i8_i8_b1(pyk::array<const float, 2, pyk::C> vertices,
    int64_t px, int64_t py, bool border_value) noexcept {
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
static inline void polygon_mask__c_thread(const pyk::thread& lane,
    pyk::array<const float, 2, pyk::C> vertices, pyk::array<bool, 2, pyk::C> mask,
    bool border_value) {
  const int64_t x = lane.grid(0);
  const int64_t y = lane.grid(1);
  if (y < mask.shape(0) && x < mask.shape(1)) {
    mask(y, x) = inside_polygon__f4_2c_i8_i8_b1(vertices, x, y, border_value);
  }
}

void polygon_mask__c(const pyk::launch& launch, pyk::array<const float, 2, pyk::C> vertices,
    pyk::array<bool, 2, pyk::C> mask, bool border_value) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      polygon_mask__c_thread(lane, vertices, mask, border_value);
    });
  }
}
