from numba import njit


@njit("float64")
def f(x):
    return x
