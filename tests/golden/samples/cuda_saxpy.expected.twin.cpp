// cuda_saxpy.py:6  def saxpy(a, x, y): …     void(float32, float32[:], float32[:])
static inline void saxpy_thread(const pyk::thread& lane, float a,
    pyk::array<const float, 1, pyk::A> x, pyk::array<float, 1, pyk::A> y) {
  const int64_t i = lane.grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}

void saxpy(const pyk::launch& launch, float a, pyk::array<const float, 1, pyk::A> x,
    pyk::array<float, 1, pyk::A> y) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      saxpy_thread(lane, a, x, y);
    });
  }
}

// cuda_saxpy.py:6  def saxpy(a, x, y): …     void(float32, float32[::1], float32[::1])
static inline void saxpy__c_thread(const pyk::thread& lane, float a,
    pyk::array<const float, 1, pyk::C> x, pyk::array<float, 1, pyk::C> y) {
  const int64_t i = lane.grid(0);
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}

void saxpy__c(const pyk::launch& launch, float a, pyk::array<const float, 1, pyk::C> x,
    pyk::array<float, 1, pyk::C> y) noexcept {
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    pyk::for_each_thread(launch, block, [&](const pyk::thread& lane) {
      saxpy__c_thread(lane, a, x, y);
    });
  }
}
