from numba import njit


@njit("float64(float64)")
def half(x):  # naïve
    return x / 2
