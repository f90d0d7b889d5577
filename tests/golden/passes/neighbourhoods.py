# Functions that loops call for places of their own: what is near (i, j), and what is put there.
import numpy as np
from numba import njit


@njit
def near(u, i, j):
    return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]


@njit
def put(v, i, j, x):
    v[i, j] = x


@njit
def inside(u, i, j):
    if i < 0 or j < 0 or i >= u.shape[0] or j >= u.shape[1]:
        return 0.0
    return u[i, j]


@njit("(float64[:, ::1], float64[:, ::1])")
def smoothed(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            put(v, i, j, 0.25 * near(u, i, j))


@njit("float64(float64[:, ::1], int64)")
def along(u, i):
    s = near(u, i, i)  # no loop around it
    for j in range(u.shape[1]):
        s += inside(u, i, j + 1) if j > 0 else inside(u, i, 0)
    return s
