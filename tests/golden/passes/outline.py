"""Bodies of parallel loops that may raise become functions; what the loop shares goes by reference."""
import numpy as np
from numba import njit, prange


@njit("float64(float64[::1], float64)", parallel=True)
def raises(a, limit):
    total = 0.0
    last = 0.0
    for i in prange(len(a)):
        if a[i] > limit:
            raise ValueError("too large", i)
        last = a[i]
        total += 1.0 / last
    return total + last


@njit("void(float64[:,::1], float64[::1])", parallel=True)
def inner_loop(a, out):
    for i in prange(len(a)):
        for j in range(a.shape[1]):
            if a[i, j] < 0.0:
                break
            if a[i, j] > 9.0:
                raise OverflowError
            out[i] += a[i, j]


@njit("void(int64, int64)", parallel=True)
def twice(n, m):
    for i in prange(n):
        x = np.empty(m)
        x[0] = i
    for i in prange(m):
        x = np.empty(n)
        x[0] = i


@njit("void(float64[::1])", parallel=True)
def raises_nothing(a):
    for i in prange(len(a)):
        a[i] = 1.0
