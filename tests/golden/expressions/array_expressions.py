"""Array expressions: one nest for each, and what is copied ahead of it."""
import numpy as np
from numba import njit


@njit("float64[::1](float64[::1], float64[::1], float64)")
def saxpy(x, y, a):
    return a * x + y


@njit("void(float64[:, ::1], float64[:, ::1])")
def jacobi(u, v):
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


@njit("void(float64[:, ::1], float64[::1])")
def rows(a, w):
    a *= w
    a[0] -= a[1]


@njit("float64(float64[::1], float64[::1])")
def distance(a, b):
    return np.sqrt(np.sum((a - b) ** 2))


@njit("float32[:, ::1](float32[:, ::1], float32[:, ::1])")
def product(a, b):
    return np.clip(a @ b, 0.0, 1.0)


@njit("float64[:, ::1](float64[::1])")
def square(a):
    return np.where(a > 0.5, a, 0.0).reshape(-1, 2)
