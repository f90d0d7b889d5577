// one thread of saxpy.py:5  def saxpy(a, x, y): …
static inline void saxpy_thread(int32_t thread_x, int32_t block_x, int32_t block_dim_x, float a,
                                pyk::array<const float, 1, pyk::C> x,
                                pyk::array<float, 1, pyk::C> y) noexcept {
  const int64_t i = int64_t(block_x) * block_dim_x + thread_x;
  if (i < x.shape(0)) y(i) = a * x(i) + y(i);
}

// saxpy.py:5  def saxpy(a, x, y): …          void(float32, float32[::1], float32[::1])
void saxpy(const pyk::launch& launch, float a, pyk::array<const float, 1, pyk::C> x,
           pyk::array<float, 1, pyk::C> y) noexcept {
  const int32_t block_dim_x = launch.block_dim(0);
  const int32_t block_dim_y = launch.block_dim(1);
  const int32_t block_dim_z = launch.block_dim(2);
  const int32_t grid_dim_x = launch.grid_dim(0);
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block) {
    const int32_t block_x = pyk::mod(block, grid_dim_x);
    for (int32_t thread_z = 0; thread_z < block_dim_z; ++thread_z)
      for (int32_t thread_y = 0; thread_y < block_dim_y; ++thread_y)
        for (int32_t thread_x = 0; thread_x < block_dim_x; ++thread_x)
          saxpy_thread(thread_x, block_x, block_dim_x, a, x, y);
  }
}
