// Grids of threads: what a kernel is launched with, and where one of its threads stands.
//
// On the device `threadIdx` and its kin are CUDA's own; the CPU twin passes a pyk::thread, whose
// members have the same names. grid(k) is the thread's index in the whole grid along axis k.
// Tested by tests/run/test_cuda.py.
#pragma once

#include "pyk/config.h"

namespace pyk {

struct dim {
  uint32_t x, y, z;
};

struct launch {
  uint32_t grid[3], block[3];

  int64_t blocks() const { return int64_t{grid[0]} * grid[1] * grid[2]; }
  // Blocks that a core takes at a time: enough to pay for asking, few enough to share evenly.
  int64_t portion() const { return blocks() < 512 ? 1 : blocks() / 256; }
  int64_t threads() const { return int64_t{block[0]} * block[1] * block[2]; }
};

// One thread of the twin. Integers are signed, as Python sees them.
struct thread {
  dim threadIdx, blockIdx, blockDim, gridDim;

  int64_t grid(int k) const {
    return k == 0   ? int64_t{blockIdx.x} * blockDim.x + threadIdx.x
           : k == 1 ? int64_t{blockIdx.y} * blockDim.y + threadIdx.y
                    : int64_t{blockIdx.z} * blockDim.z + threadIdx.z;
  }
  int64_t gridsize(int k) const {
    return k == 0   ? int64_t{blockDim.x} * gridDim.x
           : k == 1 ? int64_t{blockDim.y} * gridDim.y
                    : int64_t{blockDim.z} * gridDim.z;
  }
};

// Calls body(thread) for every thread of one block, x fastest.
template <class Body>
[[maybe_unused]] static inline void for_each_thread(const launch& launch, int64_t block,
                                                    Body body) {
  const uint32_t x = uint32_t(block % launch.grid[0]);
  const uint32_t y = uint32_t(block / launch.grid[0] % launch.grid[1]);
  const uint32_t z = uint32_t(block / launch.grid[0] / launch.grid[1]);
  const dim at{x, y, z}, size{launch.block[0], launch.block[1], launch.block[2]},
      count{launch.grid[0], launch.grid[1], launch.grid[2]};
  for (uint32_t k = 0; k < size.z; ++k)
    for (uint32_t j = 0; j < size.y; ++j)
      for (uint32_t i = 0; i < size.x; ++i) body(thread{{i, j, k}, at, size, count});
}

#if defined(__CUDACC__)
__device__ static inline int64_t grid(int k) {
  return k == 0   ? int64_t{blockIdx.x} * blockDim.x + threadIdx.x
         : k == 1 ? int64_t{blockIdx.y} * blockDim.y + threadIdx.y
                  : int64_t{blockIdx.z} * blockDim.z + threadIdx.z;
}
__device__ static inline int64_t gridsize(int k) {
  return k == 0   ? int64_t{blockDim.x} * gridDim.x
         : k == 1 ? int64_t{blockDim.y} * gridDim.y
                  : int64_t{blockDim.z} * gridDim.z;
}
#endif

}  // namespace pyk
