from numba import njit


@njit("float64((float64, float64))")
def f(pair):
    return pair[0]
