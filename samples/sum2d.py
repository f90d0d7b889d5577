"""The sum of all elements of a matrix, serial and over all cores."""
from numba import njit, prange


@njit("float64(float64[:,:])")
def sum2d(a):
    m, n = a.shape
    total = 0.0
    for i in range(m):
        for j in range(n):
            total += a[i, j]
    return total


@njit("float64(float64[:,:])", parallel=True)
def sum2d_parallel(a):
    m, n = a.shape
    total = 0.0
    for i in prange(m):
        for j in range(n):
            total += a[i, j]
    return total
