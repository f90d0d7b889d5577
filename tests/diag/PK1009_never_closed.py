from numba import njit


@njit("float64(float64)")
def half(x):
    y = (x + 1.0
    return y / 2


@njit("float64(float64)")
def twice(x):
    return x * 2
