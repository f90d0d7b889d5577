"""Sums of floats in the order of the source: which of them vectors would wait for."""
import numpy as np
from numba import njit, prange


@njit("float64(float64[::1], float64[::1])")
def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


@njit("float64(float64[:, ::1], float64[::1])")
def left_over(a, x):
    s = 10.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s -= a[i, j] * x[j]
        s += x[i]
    return s


@njit("float64(float64[::1])")
def each(x):
    s = 0.0
    for v in x:
        s = s + v * v
    return s


@njit("int64(int64[::1])")
def of_integers(x):
    s = 0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


@njit("float64(float64[::1], float64[::1])", fastmath=True)
def in_any_order(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


@njit("float64(float64[::1], float64[::1])", parallel=True)
def by_cores(x, y):
    s = 0.0
    for i in prange(len(x)):
        s += x[i] * y[i]
    return s


@njit("float64(float64[::1], float64[::1])")
def chosen(x, y):
    s = 0.0
    for i in range(len(x)):
        if x[i] < y[i]:
            s += x[i]
        else:
            s += y[i] * 0.5
    return s


@njit("float64(float64[::1], float64[::1])")
def much(x, y):
    s = 0.0
    for i in range(len(x)):
        s += (x[i] - y[i]) / (x[i] + y[i]) / (1.0 + x[i] * y[i])
    return s


@njit("float64(float64[:, ::1], int64)")
def as_they_lie(a, k):
    s = 0.0
    for i in range(a.shape[1]):
        s += a[0, i]
    for i in range(min(k, a.shape[1])):
        s += a[0, k - i]
    return s


@njit("complex128(complex128[::1], complex128[::1])")
def of_parts(x, y):
    """Complex numbers as they lie too; not where vectors have much to multiply, or turns are few."""
    s = 0j
    for i in range(len(x)):
        s += x[i]
    for i in range(len(x)):
        s += np.conj(x[i]) * y[i]
    for i in range(len(x)):
        s += x[i] * y[i] * y[i]
    for i in range(4):
        s += x[i]
    return s
