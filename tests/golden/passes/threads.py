"""Kernels as the CPU runs them: loops over blocks and threads, coordinates as parameters."""
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def where():
    return cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x


@cuda.jit("void(float32[::1])")
def by_helper(a):
    if where() < len(a):
        a[where()] = 1.0


@cuda.jit("void(float32[:,::1])")
def two_axes(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = cuda.blockIdx.y


@cuda.jit("void(float32[::1])")
def stride(a):
    for i in range(cuda.grid(1), len(a), cuda.gridsize(1)):
        a[i] += 1.0


@cuda.jit("void(int32[::1])")
def nowhere(a):
    a[0] = 1


@cuda.jit("void(int32[::1])")
def lanes(a):
    a[cuda.threadIdx.x] = cuda.laneid
