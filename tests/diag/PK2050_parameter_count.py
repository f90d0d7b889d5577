from numba import njit


@njit("float64(float64, int64)")
def half(x):
    return x / 2
