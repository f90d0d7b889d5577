"""Which array locals own memory (owned), and which are written through (written)."""
import numpy as np
from numba import njit


@njit("float64(int64)")
def own(n):
    a = np.zeros(n)
    b = a[1:]
    c = b
    b[0] = 1.0
    return c[0]


@njit("float64(float64[::1])")
def views_of_arguments(a):
    b = a[1:]
    c = a[2:]
    c[0] = 1.0
    return b[0]


@njit("float64(float64[::1], int64)")
def either(a, n):
    b = a
    if n > 0:
        b = np.ones(n)
    c = b[1:]
    return c[0]


@njit("Tuple((float64[::1], int64))(int64)")
def pair(n):
    return np.zeros(n), n


@njit("float64(float64[::1])")
def tuples(a):
    t = (a, a[1:])
    u = pair(3)
    x, n = u
    x[0] = 1.0
    return t[0][0] + x[0]


@njit
def fill(a):
    a[:1][0] = 3.0


@njit("void(float64[:,::1])")
def by_helper(a):
    row = a[0]
    fill(row)
    for other in a:
        x = other[0]
