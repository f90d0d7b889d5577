from numba import njit


@njit("float64(float64)")
def root(x):
    if x < 0.0:
        raise x
    return x ** 0.5
