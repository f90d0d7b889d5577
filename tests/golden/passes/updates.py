"""Which assignments are updates of their place."""
import numpy as np
from numba import njit


@njit("void(float64[::1], int64[::1], int8[::1], uint8)")
def elements(a, k, b, u):
    a[0] = a[0] + 2.0
    a[k[0]] = a[k[0]] * a[1]
    k[1] = k[1] - a[2:].shape[0]
    b[0] = b[0] + 1
    b[1] = b[1] & u
    b[2] = np.int8(b[2] + 1) * 2
    b[3] = b[3] << 1


@njit("void(float64[::1], float64[::1])")
def other_places(a, b):
    a[0] = b[0] + 1.0
    a[0] = a[1] + 1.0
    a[0] = 1.0 + a[0]
    a[0] = a[0] + a[0]
    a[0] = (a[0] + 1.0) * 2.0


@njit("float64(float64, float32, int64)")
def locals_(x, y, n):
    x = x - y
    x = x - x
    y = y + np.float32(x)
    y = y + x
    n = n + 1
    n = n // 2
    n = n | 4
    x = x ** 2
    return x + y + n


@njit
def bump(a):
    a[0] += 1
    return a[0]


@njit("void(int64[::1], complex128[::1])")
def helpers(a, c):
    a[bump(a)] += 1
    a[0] += bump(a)
    c[0] *= 2.0
    c[1] += 1j


@njit("int64(uint32, int64)")
def narrow(u, n):
    u += 1
    for i in range(n):
        u -= 3
    return u
