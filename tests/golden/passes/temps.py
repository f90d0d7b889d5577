"""Temporaries used once move into the statement that uses them, effects in their order."""
import numpy as np
from numba import njit


@njit
def bump(a, x):
    a[0] += x
    return a[0]


@njit("float64(float64[::1], float64[::1])")
def may_alias(a, b):
    x = a[0] + bump(b, 1.0)
    y = bump(b, 2.0) + a[0]
    return x + y


@njit("float64(float64[::1], float64)")
def order(a, x):
    return bump(a, bump(a, x)) + bump(a, a[1]) * x


@njit("int64(int64, int64)")
def swapped(a, b):
    for i in range(5):
        a, b = b, a + b
    return a


@njit("float64(float64[::1], int64)")
def choices(a, k):
    x = a[0] if k > 0 else a[1]
    y = bump(a, 1.0) if k > 1 else 0.0
    return x + y


@njit("int64(int64, int64)")
def short_circuit(a, b):
    if b != 0 and a // b > 2 or a > 7:
        return a
    return b


@njit("int64(int64)")
def into_no_loop(n):
    k = 0
    while k < n // 3 and k < n % (n * n + 1):
        k += 1
    return k


@njit("void(float64[::1])")
def unused(a):
    x = a[0]
    y = bump(a, 1.0)
    z = np.empty(3)
    w = x


@njit("float64(float64[::1], float64)")
def raises_between(a, x):
    return (a[0] + 1.0 / x) + bump(a, x) / (1.0 - x)
