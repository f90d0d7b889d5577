from numba import cuda


@cuda.jit("void(flaot32[:], float32)")
def scale(a, x):
    a[cuda.grid(1)] *= x
