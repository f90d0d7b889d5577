"""Several statements that C++ says in one: extents and items with one binding, loops over elements."""
import numpy as np
from numba import njit, prange


@njit("int64(float64[:,:,:])")
def extents(a):
    l, m, n = a.shape
    return l * m - n


@njit("int64(float64[:,:])")
def not_in_order(a):
    n, m = a.shape[1], a.shape[0]
    return n - m


@njit("int64(float64[:,:])")
def changed(a):
    m, n = a.shape
    m += 1
    return m * n


@njit
def both(x):
    return x, x * 2.0, True


@njit("float64(float64)")
def items(x):
    a, b, c = both(x)
    t = both(b)
    d, e, f = t
    return a + b + d + e + t[0]


@njit("float64(float64[::1], float64[:,::1])")
def elements(a, b):
    s = 0.0
    for x in a:
        if x < 0.0:
            continue
        if x > 9.0:
            break
        s += x
    for i in range(len(a)):
        y = a[i]
        s += y
    for i in range(len(a)):
        y = a[i]
        s += y * i
    for row in b:
        s += row[0]
    return s


@njit("void(float64[::1])")
def stored(a):
    for x in a:
        a[0] = x + 1.0


@njit("float64(float64[::1])")
def array_changes(a):
    s = 0.0
    for i in range(len(a)):
        x = a[i]
        a = a[1:]
        s += x
    return s


@njit("float64(float64[:,::1])", parallel=True)
def beside_openmp(a):
    m, n = a.shape
    s = 0.0
    for i in prange(m):
        s += a[i, n - 1]
    return s
