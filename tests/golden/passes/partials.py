"""Arrays that iterations of a prange add to: in sixteen parts, each with sums of its own."""
import numpy as np
from numba import njit, prange


@njit("float64[:](float64[:,::1], int64)", parallel=True)
def columns(a, n):
    s = np.zeros(a.shape[1])
    total = 0.0
    for i in prange(n):
        s += a[i]
        total += a[i, 0]
    s[0] = total
    return s


@njit("float64[:](float64[:,::1])", parallel=True)
def stores_too(a):
    s = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        s[i] += a[i, 0]
    return s
