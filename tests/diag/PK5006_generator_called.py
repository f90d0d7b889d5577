from numba import njit


@njit("float64(float64)")
def halves(x):
    while x > 1.0:
        yield x
        x /= 2.0
