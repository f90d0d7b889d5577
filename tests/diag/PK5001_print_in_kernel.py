from numba import cuda


@cuda.jit("void(complex64[:])")
def show(a):
    print("first", a[0])
