"""Functions of every set of flags: strict ones, fastmath ones, parallel ones."""
import math

from numba import njit, prange


@njit("float64(float64[::1])")
def exact(a):
    total = 0.0
    for x in a:
        total += math.exp(x)
    return total


@njit("float64(float64[::1])", fastmath=True)
def fast(a):
    total = 0.0
    for x in a:
        total += math.exp(x)
    return total


@njit("void(float64[::1], float64)", parallel=True, fastmath=True)
def scale(a, factor):
    for i in prange(len(a)):
        a[i] = a[i] / factor
