"""Iterations that may raise before they store: a gang in which one does runs again, one by one."""
from numba import njit


@njit("void(float64[::1], float64[::1], int64)")
def series(x, out, n):
    for i in range(len(x)):
        total = 0.0
        term = 1.0
        for j in range(n):
            term = term * x[i] / (x[i] + j)
            total += term
        out[i] = total
