from numba import njit


@njit("float64(float64[:][:])")
def f(a):
    return a[0][0]
