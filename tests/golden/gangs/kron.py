"""Subscripts that are sums of what is not negative: plain, so that C++ compilers see elements side by side."""
from numba import njit


@njit("void(float64[:,::1], float64[:,::1], float64[:,::1])")
def kron(a, b, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(b.shape[0]):
                for m in range(b.shape[1]):
                    out[i * b.shape[0] + k, j * b.shape[1] + m] = a[i, j] * b[k, m]


@njit("void(float64[:,::1], float64[:,::1], int64, int64)")
def blocks(b, out, n, q):
    for i in range(b.shape[0]):
        for j in range(n):
            for m in range(q):
                at = q * j + m
                out[i, at] = 2.0 * b[i, m]


@njit("float64(float64[::1], int64, int64, int64)")
def perhaps(a, n, q, end):
    s = 0.0
    for j in range(n):
        for m in range(q):
            at = q * j + m
            if at < end:
                s += a[at]
    return s
