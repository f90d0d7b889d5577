# pass: unswitch
from numba import njit, prange
import numpy as np


@njit("void(float64[::1], int64, int64, float64[::1])")
def windows(a, w, mode, out):
    """Three answers: the first, the second, none of both; in an inner loop, so for the whole nest."""
    n = len(a)
    for i in range(n):
        s = 0.0
        for k in range(-w, w + 1):
            j = i + k
            if mode == 0:
                if j < 0 or j >= n:
                    continue
            elif mode == 1:
                j = j % n
            s += a[j]
        out[i] = s


@njit("float64(float64[::1], boolean)", parallel=True)
def in_parallel(a, squares):
    """A loop of several cores, twice."""
    s = 0.0
    for i in prange(len(a)):
        x = a[i]
        if squares:
            x = x * x
        s += x
    return s


@njit
def kernel(u, kind):
    if kind == 0:
        return u * u
    return abs(u)


@njit("void(float64[::1], int64, float64[::1])")
def of_a_function(x, kind, out):
    """The function's question, of which the loop has its own copy."""
    for i in range(len(x)):
        out[i] = kernel(x[i], kind)


@njit("int64(int64[:,::1], int64[::1], int64)")
def left_alone(a, limits, most):
    """The answer changes; it lies in memory; a check; a loop inside; what is asked between loops."""
    total = 0
    for i in range(len(a)):
        if total > most:
            total = 0
        if limits[0] > 3:
            total += 1
        if most < 0:
            raise ValueError("negative")
    for i in range(len(a)):
        if most > 5:
            for j in range(a.shape[1]):
                total += a[i, j]
    for i in range(len(a)):
        if most > 7:
            total += 1
        for j in range(a.shape[1]):
            total += a[i, j]
    return total
