from numba import cuda


@cuda.jit("void(float64[:])", link=["twice.cu"])
def twice(a):
    a[cuda.grid(1)] *= 2
