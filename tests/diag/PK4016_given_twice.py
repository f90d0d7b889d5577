from numba import njit


def scaled(x, factor):
    return x * factor


@njit("float64(float64)")
def kernel(x):
    return scaled(x, 2.0, factor=3.0)
