from numba import njit


@njit("float64(voidptr)")
def f(items):
    return items[0]
