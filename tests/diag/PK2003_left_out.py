from numba import njit

DEBUG = False


@njit
def check(x):
    return x >= 0.0


@njit("float64(float64)")
def half(x):
    if DEBUG and not check(x):
        raise ValueError("negative")
    return x / 2.0
