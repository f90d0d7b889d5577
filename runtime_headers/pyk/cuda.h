// Kernels: what they are launched with, how their arrays arrive, where one of their threads stands.
//
//   template <class L, class Index, bool kDisjoint>
//   __global__ void scale(pyk::pointer<double, kDisjoint> a_data, pyk::extents<Index, 2> a_extents)
//   PYK_INSTANCE(scale<pyk::C, int32_t, true>);
//
// On the CPU a launch is an argument: launch.block_dim(k), launch.grid_dim(k). Integers are signed,
// as Python sees them. Tested by tests/run/test_cuda.py.
#pragma once

#include "pyk/array.h"

namespace pyk {

struct launch {
  uint32_t grid[3], block[3];

  int32_t grid_dim(int k) const { return int32_t(grid[k]); }
  int32_t block_dim(int k) const { return int32_t(block[k]); }
  int64_t blocks() const { return int64_t{grid[0]} * grid[1] * grid[2]; }
  int64_t threads() const { return int64_t{block[0]} * block[1] * block[2]; }
  // Blocks that a core takes at a time: enough to pay for asking, few enough to share evenly.
  int64_t portion() const { return blocks() < 512 ? 1 : blocks() / 256; }
};

#if defined(__CUDACC__)

// The elements of an array parameter. kDisjoint: no written array shares memory with another one.
namespace detail {
template <class T, bool kDisjoint>
struct pointer_of {
  using type = T*;
};
template <class T>
struct pointer_of<T, true> {
  using type = T* __restrict__;
};
}  // namespace detail
template <class T, bool kDisjoint>
using pointer = typename detail::pointer_of<T, kDisjoint>::type;

template <class Index, int N>
struct extents {
  Index shape[N > 0 ? N : 1], strides[N > 0 ? N : 1];  // strides in bytes
};

template <class L, class T, class Index, int N>
__device__ static inline array<T, N, L, Index> view_of(T* data, const extents<Index, N>& of) {
  array<T, N, L, Index> a;
  a.data = data;
  for (int k = 0; k < N; ++k) a.extents[k] = of.shape[k];
  if constexpr (std::is_same<L, A>::value)
    for (int k = 0; k < N; ++k) a.strides[k] = of.strides[k];
  return a;
}

// An array that a function of the device gives back, or a tuple holds: nothing on the device is
// owned. Whether the elements are read-only was for the host to ask.
template <class T, int N, class L, class Index>
struct borrowed : array<T, N, L, Index> {
  borrowed() = default;
  template <class U, class M>
  __device__ borrowed(const array<U, N, M, Index>& view) {
    array<T, N, M, Index> same;
    same.data = const_cast<T*>(view.data);
    for (int k = 0; k < N; ++k) same.extents[k] = view.extents[k];
    if constexpr (std::is_same<M, A>::value)
      for (int k = 0; k < N; ++k) same.strides[k] = view.strides[k];
    static_cast<array<T, N, L, Index>&>(*this) = as<T, L>(same);
  }
};

// Makes one instance of a kernel.
#define PYK_INSTANCE(...) template __global__ decltype(__VA_ARGS__) __VA_ARGS__

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
// Of the thread in its warp.
__device__ static inline int32_t lane_id() {
  int32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

#endif

}  // namespace pyk
