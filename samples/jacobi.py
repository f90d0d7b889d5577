"""One relaxation step for Laplace's equation, and how much it changed."""
from numba import njit, prange


@njit("float64(float64[:,:], float64[:,:])")
def jacobi(a, b):
    error = 0.0
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.25 * (a[i, j + 1] + a[i, j - 1] + a[i - 1, j] + a[i + 1, j])
            error = max(error, abs(b[i, j] - a[i, j]))
    return error


@njit("float64(float64[:,:], float64[:,:])", parallel=True)
def jacobi_parallel(a, b):
    error = 0.0
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.25 * (a[i, j + 1] + a[i, j - 1] + a[i - 1, j] + a[i + 1, j])
            error = max(error, abs(b[i, j] - a[i, j]))
    return error
