from numba import njit


@njit("int64(float64[:])")
def kernel(a):
    return a.shpe[0]
