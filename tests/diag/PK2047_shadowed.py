from numba import njit


@njit("float64(float64)")
def half(x):
    return x / 2


@njit("float32(float32)")
def half(x):
    return x / 2
