import numpy as np
from numba import njit


@njit("void(float64[:], float64[:, :])")
def copy(x, out):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i, j]


@njit
def helper(x):
    n, m, k = x.shape
    return n * m * k


@njit("int64(float64[:, :])")
def volume(x):
    n, m = np.shape(x)
    a, b, c = (n, m)
    return helper(x) + a * b * c
