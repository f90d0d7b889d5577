from numba import njit


@njit
def half(x):
    return x / 2


# pyk2cu: sig (float64)
