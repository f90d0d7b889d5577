"""saxpy on the GPU: one thread per element, with a guard."""
from numba import cuda


@cuda.jit("void(float32, float32[:], float32[:])")
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
