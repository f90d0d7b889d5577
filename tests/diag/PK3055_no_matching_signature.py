from numba import njit


@njit("float64(float64[:])")
def first(a):
    return a[0]


@njit("float64(float64[:, :])")
def corner(a):
    return first(a)
