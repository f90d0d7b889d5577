"""Small arrays in the frame, results where the caller wants them, and variables that hold one array after another."""
import numpy as np
from numba import njit


@njit
def cross(a, b):
    r = np.zeros(3)
    r[0] = a[1] * b[2] - a[2] * b[1]
    r[1] = a[2] * b[0] - a[0] * b[2]
    r[2] = a[0] * b[1] - a[1] * b[0]
    return r


@njit
def turned(m, v):
    out = np.empty(v.shape[0])
    for i in range(v.shape[0]):
        out[i] = (m[i] * v).sum()
    return out


@njit("float64(float64[:, ::1], float64[:, ::1])")
def volume(p, q):
    total = 0.0
    for i in range(p.shape[0]):
        c = cross(p[i], q[i])
        total += c[0] + c[1] + c[2]
    return total


@njit("float64[::1](float64[:, ::1], float64[::1], int64)")
def walked(m, v, n):
    v = v.copy()
    for _ in range(n):
        v = turned(m, v)
    return v


@njit
def leaves(a, n):
    """Lists and tuples outlive the frame."""
    all = []
    for i in range(n):
        all.append(np.full(2, a))
    return all


@njit("float64(float64, int64)")
def outlived(a, n):
    total = 0.0
    for row in leaves(a, n):
        total += row[0]
    return total
