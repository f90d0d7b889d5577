from numba import njit


def scaled(x, factor=2.0):
    return x * factor


@njit("float64(float64)")
def kernel(x):
    return scaled(x, faktor=3.0)
