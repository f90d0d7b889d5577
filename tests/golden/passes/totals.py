"""Sums of whole arrays, which have no order of their own: several at a time."""
import numpy as np
from numba import njit


@njit("float64(float64[::1], float64[::1])")
def dot(x, y):
    return x @ y


@njit("float32(float32[:, ::1], float32[:, ::1])")
def apart(a, b):
    return np.sum(np.abs(a - b))


@njit("complex128(complex128[::1], complex128[::1])")
def overlap(x, y):
    return np.vdot(x, y)


@njit("float64(float64[::1])")
def in_order(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


@njit("int64(int64[::1], int64[::1])")
def whole(x, y):
    return np.sum(x * y)
