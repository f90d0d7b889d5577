# One message for all functions of a file, with a sidecar for them.
import numpy as np
from numba import njit


@njit
def fill(a, n):
    for i in range(n):
        a[i] = 0.5


@njit
def apply(f, x):
    return f(x)


@njit
def column_sums(a):
    m, n = a.shape
    out = np.zeros(n)
    for i in range(m):
        for j in range(n):
            out[j] += a[i, j]
    return out


@njit
def row_of(table, where, k=0):
    return table[where[k], 0]


@njit
def scale(x, factor=2.0, inverse=False):
    return x / factor if inverse else x * factor
