"""Indices that cannot be negative lose `wrap`; arithmetic that cannot overflow becomes plain."""
import numpy as np
from numba import njit


@njit("float64(float64[::1])")
def constants(a):
    return a[0] + a[-1] + a[len(a) - 1] + a[len(a) - 2]


@njit("float64(float64[::1], int64)")
def unknown(a, k):
    return a[k] + a[k + 1] + a[abs(k)] + a[k % 4]


@njit("float64(float64[::1], uint8, uint64)")
def unsigned(a, k, n):
    return a[k] + a[k - 1] + a[n] + a[n - np.uint64(1)]


@njit("float64(float64[::1], int64)")
def conditions(a, k):
    if k < 0:
        return a[k]
    if k == 0 or k > 10:
        return a[k]
    return a[k - 1] + a[k - 2]


@njit("float64(float64[:,:])")
def other_array(a):
    b = a[1:]
    n = len(a)
    return b[n - 1, 0]


@njit("void(float64[::1], float64[::1], int64, int64, int64)")
def flat(a, b, n, m, k):
    for i in range(n):
        o = i * m
        for j in range(m):
            a[i * m + j] = b[o + j] + b[i * k + j]
