from numba import cuda


@cuda.jit("void(float32[:])")
def first(a):
    return a[0]
