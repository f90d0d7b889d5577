from numba import njit


@njit
def half(x):
    return x / 2
