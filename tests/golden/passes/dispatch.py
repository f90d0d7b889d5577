"""Roots with loops that fill vector registers, and those that call them."""
from numba import njit


@njit("void(float64[::1])")
def double(a):
    for i in range(len(a)):
        a[i] *= 2.0


@njit("void(float64[::1])")
def caller(a):
    double(a)


@njit("int64(int64)")
def digits(n):
    count = 0
    while n > 0:
        n //= 10
        count += 1
    return count
