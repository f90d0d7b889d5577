"""Calls of entry points choose among their variants by what is known of the layouts of the arguments."""
from numba import njit


@njit("float64(float64[:], float64[:])")
def dot(a, b):
    return a[0] * b[0]


@njit("float64(float64[::1], float64[::1])")
def both_contiguous(a, b):
    return dot(a, b)


@njit("float64(float64[::1], float64[:])")
def one_contiguous(a, b):
    return dot(a, b)


@njit("float64(float64[:,::1], float64[::1,:])")
def rows_and_columns(c, f):
    return dot(c[0], f[0]) + dot(c[:, 0], f[:, 0])


@njit("float64(float64[::1])")
def views(a):
    return dot(a[1:], a[:-1]) + dot(a[::2], a[::-1])


@njit("float64(float64[::1], int64)")
def chosen(a, k):
    b = a if k > 0 else a[::2]
    return dot(b, b)
