from numba import njit


@njit
def halves(x):
    while x > 1.0:
        yield x
        x /= 2.0


@njit("float64(float64)")
def total(x):
    s = 0.0
    for y in halves(x):
        s += y
    return s
