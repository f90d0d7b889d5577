from numba import njit


@njit("float64(float64, float64)")
def total(first, *others):
    s = first
    for x in others:
        s += x
    return s
