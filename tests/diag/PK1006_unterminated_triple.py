from numba import njit


@njit("float64(float64)")
def half(x):
    """Half of x.
    return x / 2
