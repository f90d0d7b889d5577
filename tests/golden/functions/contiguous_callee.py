from numba import njit


@njit("float64(float64[:])")
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit("float64(float64[:,::1])")
def grand_total(a):
    s = 0.0
    for row in a:
        s += total(row)
    return s
