"""Checks that cannot fail are dropped."""
from numba import njit


@njit("int64(int64, int64)")
def divisors(a, b):
    if b == 0:
        return a // 7
    return a // b + a % (b * b + 1)


@njit("int64(int64, int64)")
def positive(a, b):
    if a < 0 or b < 1:
        return 0
    return a // b + a % b


@njit("float64(float64, int64)")
def reassigned(x, n):
    if n > 0:
        n = n - 1
        return x / n
    return x / (n - 1)


@njit("float64(float64[::1], int64)", boundscheck=True)
def bounds(a, k):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s + a[k]
