"""Which variants of kernels there are: shown by the names of the entry points in the CUDA file."""
from numba import cuda


@cuda.jit("void(float32[:], float32[:])")
def two_arrays(x, y):
    i = cuda.grid(1)
    if i < len(x):
        y[i] = x[i]


@cuda.jit("void(float32[::1])")
def one_array(x):
    x[cuda.threadIdx.x] = 1.0


@cuda.jit("void(float32[::1], float32[::1], int32)")
def only_read(x, y, n):
    if x[0] > y[n]:
        print("larger")


@cuda.jit("void(int32)")
def no_array(n):
    print("n =", n)
