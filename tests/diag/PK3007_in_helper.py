from numba import njit


@njit
def corner(a):
    return a[0, 0]


@njit("float64(float64[:])")
def first(a):
    return corner(a)
