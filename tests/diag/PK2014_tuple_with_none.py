from numba import njit


@njit("(int64,)")
def f(x):
    return None, x
