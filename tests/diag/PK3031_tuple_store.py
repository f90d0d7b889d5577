from numba import njit


@njit("void(float64[:])")
def kernel(a):
    a.shape[0] = 3
