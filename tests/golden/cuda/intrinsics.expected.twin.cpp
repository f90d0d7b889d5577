// one thread of intrinsics.py:5  def intrinsics(a, x): …
static inline void intrinsics_thread(pyk::array<int32_t, 1, pyk::C> a,
                                     pyk::array<float, 1, pyk::C> x) noexcept {
  a(0) = pyk::cuda::popc(a(0));
  x(0) = pyk::cuda::fma(x(0), x(1), x(2));
}

// intrinsics.py:5  def intrinsics(a, x): …    void(int32[::1], float32[::1])
void intrinsics(const pyk::launch& launch, pyk::array<int32_t, 1, pyk::C> a,
                pyk::array<float, 1, pyk::C> x) noexcept {
  const int32_t block_dim_x = launch.block_dim(0);
  const int32_t block_dim_y = launch.block_dim(1);
  const int32_t block_dim_z = launch.block_dim(2);
  #pragma omp parallel for schedule(dynamic, launch.portion()) \
      if (launch.blocks() * launch.threads() > 4096)
  for (int64_t block = 0; block < launch.blocks(); ++block)
    for (int32_t thread_z = 0; thread_z < block_dim_z; ++thread_z)
      for (int32_t thread_y = 0; thread_y < block_dim_y; ++thread_y)
        for (int32_t thread_x = 0; thread_x < block_dim_x; ++thread_x)
          intrinsics_thread(a, x);
}
