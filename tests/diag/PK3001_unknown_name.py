from numba import njit


@njit("float64(float64)")
def half(value):
    return valeu / 2
