import math

from numba import njit


@njit("float64(float64[:])")
def kernel(a):
    return math.atan2(a[0])
