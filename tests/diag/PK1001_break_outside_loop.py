from numba import njit


@njit("float64(float64)")
def half(x):
    if x > 0:
        break
    return x / 2
