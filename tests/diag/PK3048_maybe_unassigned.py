from numba import cuda


@cuda.jit("void(float32[:], float32)")
def clip(a, limit):
    i = cuda.grid(1)
    if a[i] > limit:
        x = limit
    a[i] = x
