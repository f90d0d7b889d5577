from numba import njit


@njit("float64(float64[:], boolean)")
def pick(a, first):
    if first:
        x = a[0]
    else:
        x = a
    return x
