from numba import njit


@njit("float64(float64)")
def half(x):
    print x
    return x / 2
