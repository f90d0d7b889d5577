from numba import cuda


@cuda.jit("void(float32[:])")
def kernel(out):
    i = cuda.grid(1)
    cuda.syncthreads()
    out[i] = 1
