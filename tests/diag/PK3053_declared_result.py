from numba import cuda


@cuda.jit("float32(float32[:])")
def first(a):
    return a[0]
