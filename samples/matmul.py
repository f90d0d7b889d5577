"""Square matrix multiply, with the three loops in three orders."""
from numba import njit, prange


@njit("void(float64[:,:], float64[:,:], float64[:,:])")
def matmul_ijk(a, b, c):
    n = c.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit("void(float64[:,:], float64[:,:], float64[:,:])")
def matmul_ikj(a, b, c):
    n = c.shape[0]
    for i in range(n):
        for j in range(n):
            c[i, j] = 0.0
        for k in range(n):
            x = a[i, k]
            for j in range(n):
                c[i, j] += x * b[k, j]


@njit("void(float64[:,:], float64[:,:], float64[:,:])", parallel=True)
def matmul_parallel(a, b, c):
    n = c.shape[0]
    for i in prange(n):
        for j in range(n):
            c[i, j] = 0.0
        for k in range(n):
            x = a[i, k]
            for j in range(n):
                c[i, j] += x * b[k, j]
