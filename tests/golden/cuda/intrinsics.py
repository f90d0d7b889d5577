from numba import cuda


@cuda.jit("void(int32[::1], float32[::1])")
def intrinsics(a, x):
    a[0] = cuda.popc(a[0])
    x[0] = cuda.fma(x[0], x[1], x[2])
