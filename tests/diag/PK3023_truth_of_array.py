from numba import njit


@njit("int64(float64[:])")
def kernel(a):
    return 1 if a else 0
