from numba import njit


@njit("float64(float64)")
def total(point):
    x, y = point
    return x + y
