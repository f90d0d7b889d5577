"""Loops that count bits; what counts otherwise, or is asked for in between, stays."""
from numba import njit
import numpy as np


@njit("int64(uint64)")
def dropped(x):
    count = 0
    while x != 0:
        x &= x - np.uint64(1)
        count += 1
    return count


@njit("int64(int64)")
def shifted(n):
    count = 0
    while n > 0:
        count += n % 2
        n //= 2
    return count + n


@njit("int64(int64)")
def endless(n):
    count = 5
    while n:
        count += n & 1
        n >>= 1
    return count


@njit("int32(int32)")
def length(n):
    k = 0
    while n > 0:
        n = n >> 1
        k = k + 1
    return k


@njit("int64(int64)")
def others(n):
    a, b, c = 0, 0, 0
    x, y, z = n, n, n
    while x > 0:
        x >>= 1
        a += x & 1  # one later
    while y > 1:
        y >>= 1
        b += 1
    while z > 0:
        z >>= 2
        c += 1
    return a + b + c
