from numba import njit


@njit("float(float)")
def f(x):
    return x
