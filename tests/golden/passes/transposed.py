"""Elements and extents of a transposed array are those of the array; not of one that has another array later."""
import numpy as np
from numba import njit


@njit("float64(float64[:,::1], int64, int64)")
def one(a, i, j):
    t = a.T
    back = t.T
    t[i, 0] = 1.0
    return t[i, j] + back[i, j] + t.shape[0]


@njit("float64[:,:](float64[:,::1], float64[:,::1])")
def product(a, b):
    return np.dot(a, b.T)


@njit("float64(float64[:,::1], int64)")
def another(a, n):
    s = 0.0
    for k in range(n):
        b = a[k:]
        t = b.T
        s += t[0, 1]
    return s
