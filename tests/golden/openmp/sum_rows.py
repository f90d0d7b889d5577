import numpy as np
from numba import njit, prange


@njit("void(float64[:,::1], float64[::1])", parallel=True)
def sum_rows(a, out):
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        out[i] = total
