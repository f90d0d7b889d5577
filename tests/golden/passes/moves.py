"""Arrays that are given away where they are mentioned last; not where something else shows them."""
import numpy as np
from numba import njit


@njit("float64[::1](float64[::1], int64)")
def relaxed(x, n):
    x = x.copy()
    for _ in range(n):
        y = x * 0.5
        x = y
    return x


@njit("float64[::1](float64[::1], int64)")
def kept(x, n):
    x = x.copy()
    for _ in range(n):
        y = x * 0.5
        y_tail = y[1:]
        x = y
        y_tail[0] = 1.0
    return x
