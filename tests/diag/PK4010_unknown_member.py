import math

from numba import njit


@njit("float64(float64)")
def kernel(x):
    return math.sqr(x)
