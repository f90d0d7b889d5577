"""Array expressions over the same elements are one loop; what else shows an element of an array keeps it."""
import numpy as np
from numba import njit


@njit("float64[:](float64[::1], float64[::1])")
def chain(a, b):
    c = a + b
    d = a - b
    e = c * d
    return np.sqrt(np.abs(e + a))


@njit("float64[:,:](float64[:,::1], float64)", parallel=True)
def on_all_cores(a, k):
    c = a * k
    return c - a


@njit("(float64[::1], float64[::1])")
def both(a, b):
    c = a + b
    return c, c * b


@njit("float64[:](float64[::1])")
def changed_between(a):
    c = a + 1.0
    c[0] = 7.0
    return c * a


@njit("float64[:](float64[::1], int64)")
def again(u, steps):
    for t in range(steps):
        v = u * 2.0
        u = v - 1.0
    return u


@njit("float64[:](float64[::1], float64[::1], float64[::1])")
def other_shapes(a, b, c):
    d = a + b
    return d * c


@njit("float64(float64[:,::1], int64, int64)")
def distance(x, i, j):
    d = x[i] - x[j]
    return np.sqrt(np.sum(d ** 2))


@njit("float64(float64[::1], float64[::1])")
def covariance(a, b):
    x = a - np.mean(a)
    y = b - np.mean(b)
    return (x @ y) / np.sqrt(np.sum(x * x) * np.sum(y * y))
