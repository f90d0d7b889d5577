from numba import cuda, njit


@njit("void(float32[:])")
def kernel(out):
    i = cuda.grid(1)
    out[i] = 1
