from numba import cuda


@cuda.jit
def scale(a, table, n):
    i = cuda.grid(1)
    if i < len(a):
        a[i] *= table[n, i]
