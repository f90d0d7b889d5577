from numba import njit


@njit("float64(float64)")
def half(x):
    if x > 1.0:
    return x / 2
