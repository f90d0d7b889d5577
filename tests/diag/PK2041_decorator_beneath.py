import functools

from numba import njit


@njit("float64(float64)")
@functools.lru_cache
def half(x):
    return x / 2
