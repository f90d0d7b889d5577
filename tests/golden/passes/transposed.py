"""Elements and extents of a transposed array are those of the array; not of one that has another array later."""
import numpy as np
from numba import njit


@njit("float64(float64[:,::1], int64, int64)")
def one(a, i, j):
    t = a.T
    back = t.T
    t[i, 0] = 1.0
    return t[i, j] + back[i, j] + t.shape[0]


@njit("void(float64[:,::1], float64[:,::1], float64[:,::1])")
def product(a, b, c):
    t = b.T
    for i in range(a.shape[0]):
        for j in range(t.shape[1]):
            for k in range(t.shape[0]):
                c[i, j] += a[i, k] * t[k, j]


@njit("float64[:](float64[:], float64[:,::1])")
def of_rows(x, a):
    return x @ a


@njit("float64(float64[:,::1], int64)")
def another(a, n):
    s = 0.0
    for k in range(n):
        b = a[k:]
        t = b.T
        s += t[0, 1]
    return s
