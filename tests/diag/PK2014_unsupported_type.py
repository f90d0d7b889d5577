from numba import njit


@njit("float64(ListType(float64))")
def f(items):
    return items[0]
