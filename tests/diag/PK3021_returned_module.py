import math

from numba import njit


@njit("float64(float64)")
def half(x):
    return math
