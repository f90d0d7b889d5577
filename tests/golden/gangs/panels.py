"""Rows of an array that many iterations load are laid side by side for them."""
from numba import njit, prange


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(1, b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def least_path(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] = min(c[i, j], a[i, k] + b[k, j])
